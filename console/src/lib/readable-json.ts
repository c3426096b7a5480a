/** A JSON text in indented lines; another text as it is, and numbers with all their digits. */
export function readableJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    const lines = JSON.stringify(value, null, 2)
    // A number beyond what JavaScript holds would be another one.
    return digitsOf(lines) === digitsOf(text) ? lines : text
  } catch {
    return text
  }
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')
