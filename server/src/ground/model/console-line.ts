/**
 * A line of a browser's console, as the recorder's console plugin sends it: each argument as JSON. Texts are bare, as a
 * browser's console shows them.
 *
 * @param payload the `payload` of the plugin's own payload
 * @returns       at most 1,000 characters
 */
export function consoleText(payload: unknown): string {
  if (!Array.isArray(payload)) return ''
  return payload
    .map((argument) => (typeof argument === 'string' ? bareText(argument) : JSON.stringify(argument)))
    .join(' ')
    .slice(0, 1000)
}

function bareText(json: string): string {
  try {
    const value: unknown = JSON.parse(json)
    return typeof value === 'string' ? value : json
  } catch {
    return json
  }
}
