const references: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '+': '&#43;',
}

/**
 * A text as HTML shows it, in an element and in a quoted attribute: the characters that Go's `html/template` replaces, `+`
 * and NUL among them.
 *
 * @see https://pkg.go.dev/html/template#HTMLEscapeString
 */
export const escapeHtml = (text: string): string =>
  text.replaceAll('\0', '\uFFFD').replaceAll(/[&<>"'+]/g, (character) => references[character] ?? '')
