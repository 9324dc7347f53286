// Runs before the first paint, so that a dark window never flashes white. A file of its own: the content security
// policy forbids inline scripts. The key and the values are theme/theme.ts's.
(() => {
  const chosen = localStorage.getItem('sandglass.theme');
  const dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  const { dataset } = document.documentElement;
  dataset.theme = dataset.mantineColorScheme = dark ? 'dark' : 'light';
})();
