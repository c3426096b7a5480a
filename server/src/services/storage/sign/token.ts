import type { KeySet } from '../../../ground/jwt/keys.ts'
import { signToken } from '../../../ground/jwt/sign.ts'
import { createTokenVerifier } from '../../../ground/jwt/verify.ts'
import { storageError } from '../errors.ts'
import { describeTokenProblem } from '../http/caller.ts'
import type { ObjectName } from '../names/object-name.ts'

/** What a signed URL of a download allows (storage §7). */
export interface DownloadGrant {
  /** Options of an image as the token names them, `width:100,height:50`; null for the object itself. */
  readonly transformations: string | null
  readonly format: string | null
  readonly expiresAt: Date
}

/** What a signed URL of an upload allows. */
export interface UploadGrant {
  readonly owner: string | null
  readonly upsert: boolean
}

/** Signs URLs, and reads the tokens of signed ones. */
export interface UrlSigner {
  signDownload(
    name: ObjectName,
    options: { readonly expiresInSeconds: number; readonly transformations?: string; readonly format?: string },
  ): string
  signUpload(name: ObjectName, grant: UploadGrant): string
  /** @throws InvalidJWT, InvalidSignature */
  readDownload(token: string, name: ObjectName): DownloadGrant
  /** @throws InvalidJWT, InvalidSignature */
  readUpload(token: string, name: ObjectName): UploadGrant
}

/** The dependencies of `createUrlSigner`. */
export interface UrlSignerDeps {
  /** The project's keys: the shared secret signs where there is one. */
  readonly keys: KeySet
  readonly uploadSeconds: number
  readonly now: () => Date
}

const rememberedTokens = 1000

/** @param deps keys and the lifetime of upload tokens */
export function createUrlSigner({ keys, uploadSeconds, now }: UrlSignerDeps): UrlSigner {
  const verify = createTokenVerifier({ keys, now, cacheSize: rememberedTokens, clockSkewSeconds: 0 })
  const sign = (claims: object, seconds: number): string => {
    const iat = Math.floor(now().getTime() / 1000)
    return signToken({ ...claims, iat, exp: iat + seconds }, keys.sharedSecret ?? keys.signing)
  }
  const read = (token: string, { bucketId, key }: ObjectName, scope: 'download' | 'upload') => {
    const verdict = verify(token)
    if (verdict.kind === 'refused') throw storageError('InvalidJWT', { message: describeTokenProblem(verdict.problem) })
    const { claims } = verdict
    // Tokens of before there were scopes: those of uploads have `upsert`.
    const granted = claims.scope ?? (claims.upsert === undefined ? 'download' : 'upload')
    if (granted !== scope) throw storageError('InvalidSignature', { message: `Token is not scoped for ${scope}` })
    if (claims.url !== `${bucketId}/${key}`) throw storageError('InvalidSignature')
    return claims
  }
  const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  return {
    signDownload: ({ bucketId, key }, { expiresInSeconds, transformations, format }) =>
      sign(
        {
          url: `${bucketId}/${key}`,
          scope: 'download',
          ...(transformations === undefined ? {} : { transformations }),
          ...(format === undefined ? {} : { format }),
        },
        expiresInSeconds,
      ),
    signUpload: ({ bucketId, key }, { owner, upsert }) =>
      sign({ url: `${bucketId}/${key}`, scope: 'upload', ...(owner === null ? {} : { owner }), upsert }, uploadSeconds),
    readDownload(token, name) {
      const { transformations, format, exp } = read(token, name, 'download')
      return {
        transformations: textOf(transformations),
        format: textOf(format),
        expiresAt: new Date(Number(exp) * 1000),
      }
    },
    readUpload(token, name) {
      const { owner, upsert } = read(token, name, 'upload')
      return { owner: textOf(owner), upsert: upsert === true }
    },
  }
}
