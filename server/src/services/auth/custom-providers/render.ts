import type { CustomProvider } from '../model/custom-provider.ts'

/** A custom provider as the admin API answers it (auth §18); never its secret. */
export function renderCustomProvider(provider: CustomProvider): Readonly<Record<string, unknown>> {
  const oneOf = {
    issuer: provider.issuer,
    discovery_url: provider.discoveryUrl,
    discovery_document: provider.discoveryDocument,
    authorization_url: provider.authorizationUrl,
    token_url: provider.tokenUrl,
    userinfo_url: provider.userinfoUrl,
    jwks_uri: provider.jwksUri,
  }
  return {
    id: provider.id,
    provider_type: provider.providerType,
    identifier: provider.identifier,
    name: provider.name,
    client_id: provider.clientId,
    acceptable_client_ids: provider.acceptableClientIds,
    scopes: provider.scopes,
    pkce_enabled: provider.pkceEnabled,
    attribute_mapping: provider.attributeMapping,
    custom_claims_allowlist: provider.customClaimsAllowlist,
    authorization_params: provider.authorizationParams,
    enabled: provider.enabled,
    email_optional: provider.emailOptional,
    skip_nonce_check: provider.skipNonceCheck,
    ...Object.fromEntries(Object.entries(oneOf).filter(([, value]) => value !== null)),
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
}
