import type { ProvidedUser } from '../model/provided-user.ts'
import { appleIssuer, readAppleUser } from './apple.ts'
import { readAzureUser, tenantIssuer } from './azure.ts'
import { facebookIssuer, readFacebookUser } from './facebook.ts'
import { googleIssuer, readGoogleUser } from './google.ts'
import { kakaoIssuer, readKakaoUser } from './kakao.ts'
import { linkedinIssuer, readLinkedinUser } from './linkedin.ts'
import type { IdToken } from './oidc.ts'
import { readSnapchatUser, snapchatIssuer } from './snapchat.ts'
import { readStandardUser } from './standard-user.ts'
import { readVercelUser, vercelIssuer } from './vercel-marketplace.ts'

const readers: ReadonlyMap<string, (claims: IdToken) => ProvidedUser> = new Map([
  [appleIssuer, readAppleUser],
  [facebookIssuer, readFacebookUser],
  [googleIssuer, readGoogleUser],
  [kakaoIssuer, readKakaoUser],
  [linkedinIssuer, readLinkedinUser],
  [snapchatIssuer, readSnapchatUser],
  [vercelIssuer, readVercelUser],
])

/** Reads the user of an ID token that was verified: in its issuer's own way where that is known, else by the standard. */
export function readUserOfIssuer(token: IdToken): ProvidedUser {
  const issuer = token.iss ?? ''
  if (tenantIssuer.test(issuer)) return readAzureUser(token)
  return (readers.get(issuer) ?? readStandardUser)(token)
}
