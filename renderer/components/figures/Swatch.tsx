/** The colour of a series, beside its name or what is of it; without one its place stays empty. */
export function Swatch({ colour }: { colour: string | null }) {
  return <span className="sw" style={colour === null ? undefined : { background: colour }} />;
}
