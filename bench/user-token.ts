import { createSecretKey } from 'node:crypto'
import { signToken } from '../server/src/ground/jwt/sign.ts'

/** A user's token, signed with the project's shared secret; good for a day. */
export function userToken(userId: string, jwtSecret: string): string {
  const iat = Math.floor(Date.now() / 1000)
  return signToken(
    { sub: userId, role: 'authenticated', aud: 'authenticated', iat, exp: iat + 86_400 },
    { kid: null, algorithm: 'HS256', key: createSecretKey(Buffer.from(jwtSecret)) },
  )
}
