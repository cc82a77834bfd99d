/** What a sender writes where the page shows it. */
export const CORPUS = [
  '<script>window.pwned=1</script>',
  '</script><script>window.pwned=2</script>',
  '<img src=x onerror="window.pwned=3">',
  '"><svg onload=window.pwned=4>',
  "';window.pwned=5;//",
  '<iframe srcdoc="<script>parent.pwned=6</script>"></iframe>',
  '<style>*{display:none}</style>',
  '<base href="https://evil.example/">',
  '<form action="https://evil.example/"><input name=q></form>',
  '<a href="javascript:window.pwned=7">x</a>',
  'javascript:window.pwned=8',
  '<!--<img src="-->" onerror=window.pwned=9>',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is to stay text here too
  '${window.pwned=10}{{constructor.constructor("window.pwned=11")()}}',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=window.pwned=12>',
  '\u001b[2J\u001b]0;title\u0007',
  '\u202egnp.exe',
  '__proto__',
  'constructor',
  '../../../../etc/passwd',
  '%3Cscript%3E',
  'a'.repeat(5000),
];

/** The text with the characters that a header's value may contain. */
export const inHeader = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000);
