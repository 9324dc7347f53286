/** The colour of a series, beside its name; empty space without one. */
export function Swatch({ colour }: { colour: string | null }) {
  return <span className="swatch" style={colour === null ? undefined : { background: colour }} />;
}
