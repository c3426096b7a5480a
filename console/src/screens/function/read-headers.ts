/** The headers of a text, one a line: `name: value`. Lines without a colon are left out. */
export const readHeaders = (text: string): { readonly name: string; readonly value: string }[] =>
  text.split('\n').flatMap((line) => {
    const at = line.indexOf(':')
    return at < 1 ? [] : [{ name: line.slice(0, at).trim(), value: line.slice(at + 1).trim() }]
  })
