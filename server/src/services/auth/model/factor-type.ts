export type FactorType = 'totp' | 'phone' | 'webauthn'

export const isFactorType = (text: string): text is FactorType => ['totp', 'phone', 'webauthn'].includes(text)

/** The method of a verified factor in a session's `amr` (auth §5). */
export const factorMethods: Readonly<Record<FactorType, string>> = {
  totp: 'totp',
  phone: 'mfa/phone',
  webauthn: 'mfa/webauthn',
}
