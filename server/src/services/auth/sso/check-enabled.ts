import { ssoError } from './errors.ts'

/** @throws sso_provider_disabled */
export function checkProviderEnabled(provider: { readonly disabled: boolean | null }): void {
  if (provider.disabled === true) throw ssoError('sso_provider_disabled')
}
