/** The code challenge of a PKCE client (RFC 7636 §4.2). */
export interface CodeChallenge {
  readonly challenge: string
  readonly method: 's256' | 'plain'
}
