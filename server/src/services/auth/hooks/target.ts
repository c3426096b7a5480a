/** The target of a hook: a function of the database, or a web address. */
export type HookTarget =
  | { readonly kind: 'function'; readonly schema: string; readonly name: string }
  | { readonly kind: 'http'; readonly url: URL; readonly secrets: readonly Buffer[] }

const identifierForm = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/

/** Names of this machine, which plain HTTP may reach, and whose hooks may be anywhere near. */
const ownNames = new Set(['localhost', '127.0.0.1', '[::1]', 'host.docker.internal'])

/** Whether an address names this machine openly, and so is meant to. */
export const isOwnName = (hostname: string): boolean => ownNames.has(hostname)

/**
 * Whether a text is `pg-functions://postgres/<schema>/<function>`, `https://…` (http for loopback names only), or a path of
 * the instance's own API: `/functions/v1/<name>`.
 */
export function isHookUri(text: string): boolean {
  if (/^\/functions\/v1\/[\w/-]+$/.test(text)) return true
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  if (url.protocol === 'pg-functions:') return functionOf(url) !== null
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && isOwnName(url.hostname))
}

/** Whether a text is `v1,whsec_<base64>`, several joined by `|`. */
export const areHookSecrets = (text: string): boolean => parseSecrets(text) !== null

/**
 * Reads where a hook leads; both texts have passed the checks above.
 *
 * @throws TypeError when a web address has no secret to sign with
 */
export function parseHookTarget(name: string, uri: string, secrets: string | null): HookTarget {
  const url = new URL(uri)
  if (url.protocol === 'pg-functions:') {
    const found = functionOf(url)
    if (found === null) throw new TypeError(`The ${name} hook’s address names no function: ${uri}`)
    return { kind: 'function', ...found }
  }
  const keys = secrets === null ? null : parseSecrets(secrets)
  if (keys === null) throw new TypeError(`The ${name} hook calls a web address and needs a secret to sign with.`)
  return { kind: 'http', url, secrets: keys }
}

function functionOf(url: URL): { readonly schema: string; readonly name: string } | null {
  const [schema = '', name = '', ...rest] = url.pathname.split('/').slice(1)
  const isNamed = identifierForm.test(schema) && identifierForm.test(name) && rest.length === 0
  return url.host === 'postgres' && isNamed ? { schema, name } : null
}

const shortestSecretBytes = 24

function parseSecrets(text: string): readonly Buffer[] | null {
  const parts = text.split('|').map((part) => /^v1,whsec_([A-Za-z0-9+/_-]+={0,2})$/.exec(part.trim())?.[1])
  const keys = parts.map((part) => (part === undefined ? Buffer.alloc(0) : Buffer.from(part, 'base64')))
  return keys.every((key) => key.length >= shortestSecretBytes) ? keys : null
}
