export type FactorType = 'totp' | 'phone' | 'webauthn'

export const isFactorType = (text: string): text is FactorType => ['totp', 'phone', 'webauthn'].includes(text)

/** What a session's `amr` says of a verified factor (auth §5). */
export const factorMethods: Readonly<Record<FactorType, string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
}
