-- The rest of PostgREST's parameters that it reads from the authenticator.
grant set on parameter
  "pgrst.client_error_verbosity",
  "pgrst.db_hoisted_tx_settings",
  "pgrst.db_pre_config",
  "pgrst.jwt_secret",
  "pgrst.jwt_secret_is_base64",
  "pgrst.server_cors_allowed_origins",
  "pgrst.server_trace_header",
  "pgrst.url_use_legacy_target_names"
to postgres;
