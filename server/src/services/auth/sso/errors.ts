import { catalogue } from '../../../ground/errors/catalogue.ts'

/** The errors of single sign-on; part of the service's catalogue. */
export const ssoError = catalogue({
  'conflict/422': {
    status: 422,
    message: 'Updating SSO provider failed, likely due to a conflict. Try again?',
    hint: 'Try again, with another resource id if one was given.',
  },
  saml_assertion_no_email: {
    status: 400,
    message: 'SAML Assertion does not contain an email address',
    hint: 'Have the provider send one, or map the attribute it is in.',
  },
  saml_assertion_no_user_id: {
    status: 400,
    message:
      'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user',
    hint: 'Have the provider send a NameID that lasts.',
  },
  saml_entity_id_mismatch: {
    status: 400,
    message: 'SAML Metadata can be updated only if the EntityID matches for the provider',
    hint: 'Add another provider instead.',
  },
  saml_idp_already_exists: {
    status: 422,
    message: 'SAML Identity Provider with this EntityID already exists',
    hint: 'Change the one that is there.',
  },
  saml_idp_not_found: {
    status: 404,
    message: 'A SAML connection has not been established with this Identity Provider',
    hint: 'Have an administrator add the provider.',
  },
  saml_metadata_fetch_failed: {
    status: 400,
    message: 'SAML Metadata could not be fetched',
    hint: 'Check that the address is public and answers, or give the metadata itself.',
  },
  saml_provider_disabled: { status: 404, message: 'SAML 2.0 is disabled', hint: 'Switch SAML on.' },
  saml_relay_state_expired: {
    status: 422,
    message: 'SAML RelayState has expired. Try logging in again?',
    hint: 'Sign in again.',
  },
  saml_relay_state_not_found: {
    status: 404,
    message: 'SAML RelayState does not exist, try logging in again?',
    hint: 'Sign in again.',
  },
  sso_domain_already_exists: {
    status: 400,
    message: 'SSO Domain is already assigned to an SSO identity provider',
    hint: 'Take it from the other provider first.',
  },
  sso_provider_disabled: {
    status: 404,
    message: 'SSO Provider is currently disabled',
    hint: 'Have an administrator enable it.',
  },
  sso_provider_not_found: {
    status: 404,
    message: 'SSO Identity Provider not found',
    hint: 'Check the provider’s id, or the domain.',
  },
})
