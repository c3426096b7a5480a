/** Every scope there is; what each lets a client read is in `claims.ts`. */
export const supportedScopes = ['openid', 'profile', 'email', 'phone', 'offline_access'] as const

export type Scope = (typeof supportedScopes)[number]

export const isScope = (text: string): text is Scope => supportedScopes.some((scope) => scope === text)

/** The scopes of a request or a consent, separated by spaces (RFC 6749 §3.3); each once. */
export const splitScopes = (text: string): readonly string[] => [
  ...new Set(text.split(' ').filter((scope) => scope !== '')),
]

/** Whether everything asked for was agreed to before. */
export function covers(granted: string, requested: string): boolean {
  const agreed = new Set(splitScopes(granted))
  return splitScopes(requested).every((scope) => agreed.has(scope))
}
