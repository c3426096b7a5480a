/** Parameters that are ours to set, in any letters: an application must not choose where a code goes, or with what. */
const reserved = new Set([
  'client_id',
  'client_secret',
  'redirect_uri',
  'response_type',
  'state',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
])

/** Whether an application may not set a parameter of the authorization address. */
export const isReserved = (name: string): boolean => reserved.has(name.toLowerCase())
