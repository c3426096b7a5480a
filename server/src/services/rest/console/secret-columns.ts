/** Of auth's own tables only these columns are shown: what is new there is secret until it is named here. */
const shownInAuth = new Set(
  (
    'id instance_id user_id aud role email phone provider provider_id providers created_at updated_at confirmed_at ' +
    'email_confirmed_at phone_confirmed_at invited_at last_sign_in_at last_challenged_at banned_until deleted_at ' +
    'is_anonymous is_sso_user is_super_admin raw_user_meta_data raw_app_meta_data identity_data aal amr not_after ' +
    'refreshed_at revoked session_id authentication_method factor_id factor_type factor_ids status friendly_name tag ip ip_address ' +
    'user_agent sso_provider_id resource_id domain entity_id name_id_format attribute_mapping token_type disabled ' +
    'client_id client_name client_uri scope scopes granted_at revoked_at version'
  ).split(' '),
)

/** Whether a column's values are secrets, which the table editor neither shows nor compares nor writes. */
export const isSecretColumn = (schema: string, column: string): boolean => schema === 'auth' && !shownInAuth.has(column)
