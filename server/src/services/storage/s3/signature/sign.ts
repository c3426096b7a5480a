import { createHash, createHmac } from 'node:crypto'

export const algorithm = 'AWS4-HMAC-SHA256'

/** What a signing key is good for: a day, a region and a service. */
export interface Scope {
  /** `YYYYMMDD`. */
  readonly date: string
  readonly region: string
  readonly service: string
}

export const sha256 = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The key that a secret yields for a scope. */
export const signingKey = (secret: string, { date, region, service }: Scope): Buffer =>
  hmac(hmac(hmac(hmac(`AWS4${secret}`, date), region), service), 'aws4_request')

export const scopeText = ({ date, region, service }: Scope): string => `${date}/${region}/${service}/aws4_request`

/** The signature of a text, in hexadecimal. */
export const signText = (key: Buffer, text: string): string => createHmac('sha256', key).update(text).digest('hex')

/** @param amzDate `YYYYMMDDTHHMMSSZ` */
export const stringToSign = (amzDate: string, scope: Scope, canonicalRequest: string): string =>
  [algorithm, amzDate, scopeText(scope), sha256(canonicalRequest)].join('\n')

/** The moment of `YYYYMMDDTHHMMSSZ`; null for another form. */
export function parseAmzDate(text: string): Date | null {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  if (parts === null) return null
  const [, year, month, day, hour, minute, second] = parts
  const date = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}
