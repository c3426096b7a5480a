/** How a session stands in its cookies: the same has to be said in the browser and on the server. */
export const forms = {
  raw: { cookieEncoding: 'raw', encode: 'user-and-tokens' },
  tokens: { cookieEncoding: 'base64url', encode: 'tokens-only' },
  'raw-tokens': { cookieEncoding: 'raw', encode: 'tokens-only' },
} as const

export type Form = keyof typeof forms
