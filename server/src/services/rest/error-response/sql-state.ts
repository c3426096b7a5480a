/** What the status depends on beside the code. */
interface Context {
  readonly message: string
  readonly anonymous: boolean
}

type Rule = readonly [code: RegExp, status: number | ((context: Context) => number)]

// First match wins (rest §14).
const rules: readonly Rule[] = [
  [/^08/, 503],
  [/^09/, 500],
  [/^0[LP]/, 403],
  [/^23503|^23505/, 409],
  [/^25006/, 405],
  // A guard extension, which is the client's mistake; else a subquery of more than one row, which is not.
  [/^21000/, ({ message }) => (message.endsWith('requires a WHERE clause') ? 400 : 500)],
  [/^22023/, ({ message }) => (message.startsWith('role') && message.endsWith('does not exist') ? 401 : 400)],
  [/^25/, 500],
  [/^28/, 403],
  [/^2D|^38|^39|^3B|^40/, 500],
  [/^53400/, 500],
  [/^53/, 503],
  [/^54|^55/, 500],
  // Beside the one that the protocol names: a crash, and a start that is not over.
  [/^57P0[123]/, 503],
  [/^57|^58|^F0|^HV/, 500],
  [/^P0001/, 400],
  [/^P0|^XX/, 500],
  [/^42883/, ({ message }) => (message.startsWith('function xmlagg(') ? 406 : 404)],
  [/^42P01/, 404],
  [/^42P17/, 500],
  [/^42501/, ({ anonymous }) => (anonymous ? 401 : 403)],
]

/** The HTTP status that a SQLSTATE answers with, and the reason phrase where `PTnnn` gives one. */
export function statusOfSqlState(
  code: string,
  message: string,
  anonymous: boolean,
): { readonly status: number; readonly statusText: string | null } {
  if (code.startsWith('PT')) {
    const status = Number(code.slice(2))
    const isStatus = /^\d{3}$/.test(code.slice(2)) && status >= 200 && status <= 599
    return isStatus ? { status, statusText: message } : { status: 500, statusText: null }
  }
  const rule = rules.find(([pattern]) => pattern.test(code))?.[1] ?? 400
  return { status: typeof rule === 'number' ? rule : rule({ message, anonymous }), statusText: null }
}
