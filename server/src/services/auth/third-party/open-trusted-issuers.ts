import { createTrustedIssuers, type FetchedIssuers, type TrustedIssuersDeps } from './trusted-issuers.ts'

/** Issuers whose keys have been asked for once; null where the settings name none. The caller closes them. */
export async function openTrustedIssuers(deps: TrustedIssuersDeps): Promise<FetchedIssuers | null> {
  if (deps.settings.thirdPartyIssuers.length === 0) return null
  const issuers = createTrustedIssuers(deps)
  await issuers.refresh()
  return issuers
}
