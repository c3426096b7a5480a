// Made by `npm run generate` from the declarations of the settings.

/** Settings as `clew.toml` spells them; an empty text stands for nothing. */
export interface ClewSettings {
  /** The port of the application and its API; 0 takes a free one. Default: 54321. */
  readonly port?: number | undefined
  /** The address to listen on; any but a loopback one needs --production. Default: "127.0.0.1". */
  readonly host?: string | undefined
  /** Whether the application’s port speaks HTTPS: with tls_cert and tls_key, with a certificate that [acme] obtains, or in local mode with a self-signed one, tls.crt in the data directory. Default: false. */
  readonly tls?: boolean | undefined
  /** The file of the certificate and its chain, in PEM; read again when it has changed. */
  readonly tls_cert?: string | undefined
  /** The file of the certificate’s private key, in PEM. */
  readonly tls_key?: string | undefined
  /** Port of the embedded PostgreSQL on 127.0.0.1, for psql; 0 opens none. Default: 54322. */
  readonly db_port?: number | undefined
  /** The port of the console and the inbox, apart from the application’s; 0, or a port of 0, takes a free one. Default: 54323. */
  readonly console_port?: number | undefined
  /** The data directory, relative to the project folder. Default: ".clew". */
  readonly data?: string | undefined
  /** A folder with a built application to serve at /. */
  readonly public?: string | undefined
  /** A recording of visits that a new data directory begins with, shown as yesterday’s; not in production, nor beside engines of one’s own. */
  readonly sample?: string | undefined
  /** The project’s name in the console; the folder’s name when not given. */
  readonly name?: string | undefined
  /** The secret that the keys anon and service_role are signed with, in place of the directory’s own. */
  readonly jwt_secret?: string | undefined
  /** What jwt_secret was before: tokens that were signed with it stay good. */
  readonly earlier_jwt_secrets?: readonly string[] | undefined
  /** The key of browsers, in place of the directory’s own. */
  readonly publishable_key?: string | undefined
  /** The key of servers, in place of the directory’s own. */
  readonly secret_key?: string | undefined
  /** An existing PostgreSQL (15 or newer) instead of the embedded one; of several hosts the first that takes writes. */
  readonly database_url?: string | undefined
  /** The same server without its pooler, where database_url is a pooler’s that hands each transaction another connection: for migrations, row changes and notifications (NOTIFY). */
  readonly database_direct_url?: string | undefined
  /** An existing ClickHouse instead of the embedded one. */
  readonly clickhouse_url?: string | undefined
  /** Own keys, keys required, no development secrets. Default: false. */
  readonly production?: boolean | undefined
  /** The address under which browsers reach this instance. */
  readonly public_url?: string | undefined
  /** The address under which browsers reach the console, of another origin than public_url. Without it the console of a production instance listens on a loopback address only. */
  readonly console_url?: string | undefined
  /** Further host names by which a local instance may be reached, without ports: of a container, for example. Others are refused: a web page could let its own host name resolve to this machine (DNS rebinding). Default: []. */
  readonly allowed_hosts?: readonly string[] | undefined
  /** The bearer token for /metrics, which is not served without one; `clew metrics` needs none. */
  readonly metrics_token?: string | undefined
  /** Seconds from one look at the files of secrets (…_FILE) to the next: one that changed is read again. Default: 5. */
  readonly secret_check_seconds?: number | undefined
  /** Addresses of proxies whose X-Forwarded-For is trusted. Default: []. */
  readonly trusted_proxies?: readonly string[] | undefined
  /** The header in which a trusted proxy names the client’s address (cf-connecting-ip), in place of X-Forwarded-For. */
  readonly client_address_header?: string | undefined
  /** Processes that share the ports, each with pools of its own, so that more processors answer; one that ends is started again, and another does its work meanwhile. Default: 1. */
  readonly workers?: number | undefined
  /** The least severe lines that are logged. Default: "warn". */
  readonly log_level?: 'error' | 'warn' | 'info' | 'debug' | 'silent' | undefined
  /** How lines are written: json in production, text in local mode, where nothing is said. */
  readonly log_format?: 'json' | 'text' | '' | undefined
  /** A file that the log is appended to, relative to the project folder; standard error where none is given. */
  readonly log_file?: string | undefined
  /** How deep arrays and objects may nest in the JSON of a request; what nests deeper is refused before it is parsed. Default: 200. */
  readonly json_depth?: number | undefined
  /** MiB that should be free on the data directory’s disk: with less, health is degraded; with a sixteenth of it, down. Default: 1024. */
  readonly free_disk_mib?: number | undefined
  /** MiB of the data directory’s disk that are left to the databases: with less, events, recordings and files are refused and requests not recorded, until a tenth more is free. Default: 256. */
  readonly disk_reserve_mib?: number | undefined
  /** Connections to PostgreSQL for the application’s calls. Default: 10. */
  readonly pool_size?: number | undefined
  /** Connections to PostgreSQL for Clew’s own tables. Default: 6. */
  readonly internal_pool_size?: number | undefined
  /** Connections to PostgreSQL for sign-ins, tokens and users. Default: 6. */
  readonly auth_pool_size?: number | undefined
  /** Connections to PostgreSQL for the tables that the console shows. Default: 2. */
  readonly console_pool_size?: number | undefined
  /** Seconds after which a query of the console’s table views is ended. Default: 10. */
  readonly console_query_seconds?: number | undefined
  /** Seconds that a statement of Clew’s own waits for a connection to PostgreSQL. Default: 10. */
  readonly internal_pool_timeout_seconds?: number | undefined
  /** Prepared statements that each connection for the application’s calls keeps; PostgreSQL holds a plan of some tens of kilobytes for each. Default: 200. */
  readonly statements_per_connection?: number | undefined
  /** Log that the embedded PostgreSQL keeps for row changes not stored yet, in MiB; half of the free disk where not given. Beyond it changes are lost, and histories say so. */
  readonly change_backlog_mib?: number | '' | undefined
  /** Most that the address and the headers of a request may have together, in KiB. Default: 64. */
  readonly head_limit_kib?: number | undefined
  /** Most that the body of a request to the console or the inbox may have, in KiB; the other services have limits of their own. Default: 64. */
  readonly body_limit_kib?: number | undefined
  /** Seconds that a client may take to send a request, or to take an answer that waits for it; then its connection is closed, unless request_bytes_per_second have come: an upload or a download may take as long as it is fast enough. Default: 300. */
  readonly request_timeout_seconds?: number | undefined
  /** Bytes a second that a client must send, or take, on average where that takes longer than request_timeout_seconds. Default: 1024. */
  readonly request_bytes_per_second?: number | undefined
  /** Seconds that requests in flight have to end when the process stops. Default: 10. */
  readonly close_grace_seconds?: number | undefined
  /** How many tokens with a good signature are remembered, so that their next request is checked faster. Default: 10000. */
  readonly token_cache_entries?: number | undefined
  /** Memory the embedded ClickHouse may use for queries, in MiB. Default: 1024. */
  readonly clickhouse_memory_mib?: number | undefined
  /** Seconds after which the embedded ClickHouse ends a query. Default: 60. */
  readonly clickhouse_query_seconds?: number | undefined
  /** The section `[migrations]`. */
  readonly migrations?: {
    /** Whether the migrations of the project folder are applied at the start. Default: true. */
    readonly enabled?: boolean | undefined
    /** Whether a new database is filled by the seed of the project folder. Default: true. */
    readonly seed_enabled?: boolean | undefined
    /** The files of the seed in their order, as globs relative to supabase/. Default: ["./seed.sql"]. */
    readonly seed_paths?: readonly string[] | undefined
    /** Whether a statement of the project folder on an extension that PostgreSQL lacks ends the start or is left out. Those that no application stands on (pg_graphql, pgsodium, pgtap, …) are left out in any case. Default: "refuse". */
    readonly missing_extensions?: 'refuse' | 'skip' | undefined
    /** Secrets by their names, stored in the vault at each start, before the migrations; an empty one is left out. */
    readonly vault?: Readonly<Record<string, string>> | undefined
    /** Buckets by their names, created or brought up to date at each start; the files below objects_path, relative to supabase/, are uploaded when a bucket is declared first. Default: {}. */
    readonly buckets?: Readonly<Record<string, { readonly public?: boolean; readonly file_size_limit?: number; readonly allowed_mime_types?: readonly string[]; readonly objects_path?: string }>> | undefined
    /** Whether what the project creates in public is granted to anon, authenticated and service_role by default; decided when a database is new to the project, and granted where nothing is said. */
    readonly auto_expose_new_tables?: boolean | '' | undefined
    /** The version of PostgreSQL that the project was written for; the log names a server of another one. */
    readonly major_version?: number | '' | undefined
  }
  /** The section `[rest]`. */
  readonly rest?: {
    /** Whether /rest/v1 is served; it answers 501 where not. Default: true. */
    readonly enabled?: boolean | undefined
    /** The schemas that the API shows; the first one is used when a request names none. Default: ["public"]. */
    readonly schemas?: readonly string[] | undefined
    /** Schemas searched after the request's own, for functions and types that are not shown. Default: ["public","extensions"]. */
    readonly extra_search_path?: readonly string[] | undefined
    /** The role of calls without a token, whose permission errors answer 401 instead of 403; without it they are refused. Default: "anon". */
    readonly anon_role?: string | undefined
    /** The most rows that an answer, or an embed in it, may have; nothing for no limit. */
    readonly max_rows?: number | '' | undefined
    /** Whether select may use sum, avg, min, max and count. Default: false. */
    readonly aggregates_enabled?: boolean | undefined
    /** Whether the execution plan of a request may be asked for. Default: false. */
    readonly plan_enabled?: boolean | undefined
    /** A function (schema.name) that runs in each transaction before the statement; it may refuse the request. */
    readonly pre_request?: string | undefined
    /** A function that answers at the root instead of the OpenAPI description. */
    readonly root_spec?: string | undefined
    /** How transactions end, and whether Prefer: tx may say otherwise. Default: "commit". */
    readonly tx_end?: 'commit' | 'commit-allow-override' | 'rollback' | 'rollback-allow-override' | undefined
    /** Settings of a function that apply to the whole transaction that calls it. Default: ["statement_timeout","plan_filter.statement_cost_limit","default_transaction_isolation"]. */
    readonly hoisted_tx_settings?: readonly string[] | undefined
    /** Values that statements read with current_setting(app.settings.NAME), by NAME. Default: {}. */
    readonly app_settings?: Readonly<Record<string, string>> | undefined
    /** Whether connections keep prepared statements; not behind a pooler that shares them by transaction. Default: true. */
    readonly prepared_statements?: boolean | undefined
    /** The channel on which NOTIFY reloads the schema cache and the settings; nothing to listen on none. Default: "pgrst". */
    readonly channel?: string | undefined
    /** Whether the channel is listened on. Default: true. */
    readonly channel_enabled?: boolean | undefined
    /** Whether settings of the connecting role (alter role authenticator set pgrst.…) win over all others. Default: true. */
    readonly config?: boolean | undefined
    /** A function (schema.name) that sets pgrst.… settings when the configuration is read. */
    readonly pre_config?: string | undefined
    /** Connections for requests; nothing for the pool_size of the process. */
    readonly pool_size?: number | '' | undefined
    /** Seconds that a request waits for a connection before it is refused with 504. Default: 10. */
    readonly pool_acquisition_timeout?: number | undefined
    /** Seconds after which an unused connection is closed; 0 for never. Default: 30. */
    readonly pool_max_idletime?: number | undefined
    /** Seconds after which a connection is replaced by a new one; 0 for never. Default: 1800. */
    readonly pool_max_lifetime?: number | undefined
    /** A secret of 32 characters or more, a JWK or a JWKS whose tokens are accepted, besides those of the instance’s own keys; @file reads it from a file. */
    readonly jwt_secret?: string | undefined
    /** Whether jwt_secret is written in base64. Default: false. */
    readonly jwt_secret_is_base64?: boolean | undefined
    /** The audience that a token with an aud claim must name; nothing to accept any. */
    readonly jwt_aud?: string | undefined
    /** Where in a token the role stands, as a JSON path. Default: "$.role". */
    readonly jwt_role_claim_key?: string | undefined
    /** How many tokens with a good signature are remembered, so that it is not checked again; 0 for none. Default: 1000. */
    readonly jwt_cache_max_entries?: number | undefined
    /** Whether the description at the root shows what the role may use, everything, or is not answered. Default: "follow-privileges". */
    readonly openapi_mode?: 'follow-privileges' | 'ignore-privileges' | 'disabled' | undefined
    /** Whether the description says that tokens are sent in the Authorization header. Default: false. */
    readonly openapi_security_active?: boolean | undefined
    /** The address that the description names, when the API is reached by another than its own. */
    readonly openapi_server_proxy_uri?: string | undefined
    /** The origins that browsers may call from, with credentials; empty for any, without. Default: []. */
    readonly cors_allowed_origins?: readonly string[] | undefined
    /** A header of requests that is copied to their answers. */
    readonly trace_header?: string | undefined
    /** Whether responses name the durations of their parts in Server-Timing. Default: false. */
    readonly server_timing_enabled?: boolean | undefined
    /** Whether errors have their details and hint. Default: "verbose". */
    readonly error_verbosity?: 'verbose' | 'minimal' | undefined
    /** Whether filters may name an embed by its relation although it has an alias. Default: true. */
    readonly legacy_target_names?: boolean | undefined
    /** How deep embeds and logic trees of a query string may nest. Default: 100. */
    readonly nesting_limit?: number | undefined
    /** How many embeds a select may have; each costs up to 0.1 ms before the statement runs, and a join in it. Default: 300. */
    readonly embeds_limit?: number | undefined
    /** How many statements are remembered for requests that differ only in values; more than the screens of an application have, and some ten kilobytes each. Default: 500. */
    readonly template_cache_max_entries?: number | undefined
    /** How many parts a query string may have: selected columns and embeds, conditions, order terms and names together. The values of a list are not counted. Default: 2000. */
    readonly query_parts_limit?: number | undefined
    /** How many rows of a table the console looks at one by one when it explains an answer. Default: 20. */
    readonly explained_rows?: number | undefined
    /** How long a statement may take that changes rows from the console’s table editor. Default: 30. */
    readonly change_timeout_seconds?: number | undefined
    /** How many bytes of rows the console’s table editor imports at once. Default: 268435456. */
    readonly import_max_bytes?: number | undefined
    /** The largest request body that is read. Default: 10485760. */
    readonly max_body_bytes?: number | undefined
  }
  /** The section `[mail]`. */
  readonly mail?: {
    /** How many mails the inbox keeps; the oldest go first. Default: 1000. */
    readonly inbox_keep?: number | undefined
    /** Most mails in one answer of the inbox’s API, whatever `limit` asks for. Default: 1000. */
    readonly inbox_page_mails?: number | undefined
    /** The address mails come from; needed to send by SMTP. */
    readonly admin_email?: string | undefined
    /** The name mails come from. */
    readonly sender_name?: string | undefined
    /** The mail server as an address, smtp://user:password@host:587; instead of the settings one by one. */
    readonly smtp_url?: string | undefined
    /** The mail server; without one, mails stay in the inbox. */
    readonly smtp_host?: string | undefined
    /** Its port; 465 speaks TLS from the first byte. Default: 587. */
    readonly smtp_port?: number | undefined
    /** Who signs in at the mail server. */
    readonly smtp_user?: string | undefined
    /** The password at the mail server. */
    readonly smtp_pass?: string | undefined
    /** Whether nothing is sent without TLS; a server on this machine is trusted without. Default: true. */
    readonly smtp_require_tls?: boolean | undefined
    /** How long the mail server may take; the request waits for it. Default: 8. */
    readonly smtp_timeout_seconds?: number | undefined
    /** Further headers of mails as JSON, a name with a list of values; $messageType is what the mail is about. */
    readonly smtp_headers?: string | undefined
  }
  /** The section `[spool]`. */
  readonly spool?: {
    /** Size at which a spool file is closed and the next begun, in bytes. Default: 33554432. */
    readonly segment_bytes?: number | undefined
    /** How much may wait to be stored before clients are told to come back later, in bytes. Default: 2147483648. */
    readonly backlog_bytes?: number | undefined
    /** How many bytes of finished requests may wait to be stored before further ones are not recorded. Default: 536870912. */
    readonly request_backlog_bytes?: number | undefined
    /** Size at which a batch is stored at once, in bytes. Default: 33554432. */
    readonly batch_bytes?: number | undefined
    /** Rows at which a batch is stored at once. Default: 10000. */
    readonly batch_rows?: number | undefined
    /** Most rows of a batch: what has come while the one before was stored goes together, as one insert costs ClickHouse less than many. Never fewer than `batch_rows`. Default: 40000. */
    readonly max_batch_rows?: number | undefined
    /** Time between the beginnings of two batches, in milliseconds, while events keep coming. Default: 500. */
    readonly batch_ms?: number | undefined
    /** How long rows may wait, in milliseconds, while so many come that storing them would take more than a quarter of the time: between two batches the processors are left to requests. 0: they are stored as fast as they can be. Default: 5000. */
    readonly burst_lag_ms?: number | undefined
    /** Seconds without anything being stored, while something waits, after which health says so with a 503. Default: 60. */
    readonly stuck_seconds?: number | undefined
    /** How much is kept of rows that an engine refused for what they are, and as much again of damaged bytes of each spool, in bytes; of rows the latest. Default: 67108864. */
    readonly refused_bytes?: number | undefined
  }
  /** The section `[cluster]`. */
  readonly cluster?: {
    /** The NATS server that joins this process with others on the same database, nats://user:password@host:4222, or tls://…; database_url and clickhouse_url are needed as well. */
    readonly bus?: string | undefined
    /** What stands before the subjects on the NATS server, by which several Clews can share one. Default: "clew". */
    readonly name?: string | undefined
    /** What may be under way to the bus, in bytes; messages beyond it are dropped and counted. Default: 33554432. */
    readonly buffered_bytes?: number | undefined
    /** After so long without a word of a process, its members leave presence, and nothing waits for it; what it missed meanwhile makes it close its sockets, whose clients join again. Default: 5. */
    readonly node_seconds?: number | undefined
  }
  /** The section `[auth]`. */
  readonly auth?: {
    /** Whether /auth/v1 is served; it answers 501 where not. Tokens are verified and the tables of auth are there all the same. Default: true. */
    readonly enabled?: boolean | undefined
    /** Where browsers reach this service, with its prefix: the base of the links in mails and the issuer of tokens. Default: "http://127.0.0.1:54321/auth/v1". */
    readonly external_url?: string | undefined
    /** The application: where a link in a mail leads when the request did not name another allowed address. Default: "http://127.0.0.1:3000". */
    readonly site_url?: string | undefined
    /** Further addresses a link may lead to, as globs: * within a segment, ** across segments. Default: ["https://127.0.0.1:3000"]. */
    readonly additional_redirect_urls?: readonly string[] | undefined
    /** How long a call may take until it is answered that it took too long. Default: 10. */
    readonly request_timeout_seconds?: number | undefined
    /** The largest request body that is read. Default: 1048576. */
    readonly max_body_bytes?: number | undefined
    /** The `aud` of users and tokens where the request names none. Default: "authenticated". */
    readonly jwt_audience?: string | undefined
    /** The PostgreSQL role of new users. Default: "authenticated". */
    readonly jwt_default_role?: string | undefined
    /** Whether new users may sign up. Default: true. */
    readonly enable_signup?: boolean | undefined
    /** Whether users may sign up without an address. Default: false. */
    readonly enable_anonymous_sign_ins?: boolean | undefined
    /** Whether users may sign up and in by e-mail. Default: true. */
    readonly email_enable_signup?: boolean | undefined
    /** Whether a link or code sent by mail signs users in. Default: true. */
    readonly email_enable_magic_link?: boolean | undefined
    /** Whether an e-mail address must be confirmed before its user can sign in; where nothing is said in production only. */
    readonly email_enable_confirmations?: boolean | '' | undefined
    /** The only addresses that mails are sent to; empty for any. Default: []. */
    readonly email_authorized_addresses?: readonly string[] | undefined
    /** Whether addresses in domains that are set aside (example.com, .test) are rejected where a mail would be sent. Default: false. */
    readonly email_extended_validation?: boolean | undefined
    /** Whether users may sign up and in by phone. Default: false. */
    readonly sms_enable_signup?: boolean | undefined
    /** Whether a phone number must be confirmed by a code before its user can sign in; where nothing is said in production only. */
    readonly sms_enable_confirmations?: boolean | '' | undefined
    /** The `iss` claim of access tokens, when it is not the external URL. */
    readonly jwt_issuer?: string | undefined
    /** Roles whose tokens may use the admin API. Default: ["service_role","supabase_admin"]. */
    readonly jwt_admin_roles?: readonly string[] | undefined
    /** A file with the keys that sign and verify tokens, as a JSON array of JSON Web Keys; the one whose key_ops hold `sign` signs. The data directory’s own key where nothing is said. */
    readonly signing_keys_path?: string | undefined
    /** How long an access token lives. Default: 3600. */
    readonly jwt_expiry_seconds?: number | undefined
    /** Whether a refresh token that is used again late ends its session. Default: true. */
    readonly enable_refresh_token_rotation?: boolean | undefined
    /** How long a used refresh token is still accepted, for tabs that refresh at the same time. Default: 10. */
    readonly refresh_token_reuse_interval_seconds?: number | undefined
    /** Whether a signed refresh token stays good however often it was used. Default: false. */
    readonly refresh_token_allow_reuse?: boolean | undefined
    /** How refresh tokens of new sessions are made: 1 opaque, 2 signed, which needs no row for each. Default: 1. */
    readonly refresh_token_algorithm_version?: number | undefined
    /** The share of sessions with opaque refresh tokens that go over to signed ones, where those are used. Default: 0. */
    readonly refresh_token_upgrade_percentage?: number | undefined
    /** Whether a user’s newest session of a tag is the only one that can be refreshed. Default: false. */
    readonly session_single_per_user?: boolean | undefined
    /** The kinds of sessions a user may have one of each of; a session of no kind counts as the first. Default: []. */
    readonly session_tags?: readonly string[] | undefined
    /** How long a user with a second factor may go without verifying it; nothing for no limit. */
    readonly session_allow_low_aal_seconds?: number | '' | undefined
    /** How long a session may live in all; nothing for no limit. */
    readonly session_timebox_seconds?: number | '' | undefined
    /** How long a session may go without a refresh; nothing for no limit. */
    readonly session_inactivity_timeout_seconds?: number | '' | undefined
    /** How often ended sessions, used tokens and forgotten flows are deleted. Default: 300. */
    readonly clean_up_interval_seconds?: number | undefined
    /** How long entries of the audit log are kept; nothing for ever. */
    readonly audit_retention_days?: number | '' | undefined
    /** How long anonymous users are kept after they came, with all that refers to them; nothing for ever. */
    readonly anonymous_user_retention_days?: number | '' | undefined
    /** Others whose tokens the application’s calls may carry, by their `iss`; their keys are found by OpenID discovery. They sign nobody in here, and make nobody an administrator. Default: []. */
    readonly third_party_issuers?: readonly string[] | undefined
    /** What the `aud` of such tokens must be one of; anything where nothing is said. Default: []. */
    readonly third_party_audiences?: readonly string[] | undefined
    /** How long an issuer may take to answer with its keys. Default: 5. */
    readonly third_party_timeout_seconds?: number | undefined
    /** The largest answer of an issuer that is read. Default: 262144. */
    readonly max_third_party_answer_bytes?: number | undefined
    /** The least length of a password, in bytes. Default: 6. */
    readonly minimum_password_length?: number | undefined
    /** The kinds of characters a password must hold. Default: "". */
    readonly password_requirements?: '' | 'letters_digits' | 'lower_upper_letters_digits' | 'lower_upper_letters_digits_symbols' | undefined
    /** Further sets of characters, separated by colons, of which a password must hold one each; `\:` is a colon. */
    readonly password_required_characters?: string | undefined
    /** Whether passwords known from breaches are rejected; five digits of their SHA-1 are sent out. Default: false. */
    readonly password_hibp_enabled?: boolean | undefined
    /** Where the list of breached passwords is asked, as the Pwned Passwords API answers it. Default: "https://api.pwnedpasswords.com/range". */
    readonly password_hibp_url?: string | undefined
    /** Whether every password counts as breached while the list cannot be asked. Default: false. */
    readonly password_hibp_fail_closed?: boolean | undefined
    /** How long the list may take to answer; beyond it the list counts as unavailable. Default: 2. */
    readonly password_hibp_timeout_seconds?: number | undefined
    /** The largest answer of the list that is read. Default: 1048576. */
    readonly max_password_hibp_answer_bytes?: number | undefined
    /** Whether a password is changed only within 24 hours of signing in, or with a code sent for it. Default: false. */
    readonly secure_password_change?: boolean | undefined
    /** Whether the current password must be sent with a new one, unless the session came of a link or code. Default: false. */
    readonly require_current_password?: boolean | undefined
    /** How many passwords are hashed at a time, each on a thread of its own. Default: 2. */
    readonly password_hash_concurrency?: number | undefined
    /** How many sign-ins may wait for a hash; more are rejected at once. Default: 500. */
    readonly password_hash_queue?: number | undefined
    /** Hosts that links in mails may lead to when `X-Forwarded-Host` names one, instead of the external URL’s. Default: []. */
    readonly email_external_hosts?: readonly string[] | undefined
    /** Path of the link in confirmation mails, instead of /verify below the external URL. */
    readonly email_url_path_confirmation?: string | undefined
    /** Path of the link in invitations, instead of /verify below the external URL. */
    readonly email_url_path_invite?: string | undefined
    /** Path of the link in recovery mails and magic links, instead of /verify below the external URL. */
    readonly email_url_path_recovery?: string | undefined
    /** Path of the link that confirms a change of address, instead of /verify below the external URL. */
    readonly email_url_path_email_change?: string | undefined
    /** How long an address may take to answer with the text of a mail. Default: 5. */
    readonly email_template_timeout_seconds?: number | undefined
    /** The longest text of a mail that is read from a file or an address. Default: 1048576. */
    readonly max_email_template_bytes?: number | undefined
    /** How many requests may hold a transaction while the mail server takes its mail; others wait before theirs. Default: 3. */
    readonly email_concurrency?: number | undefined
    /** How many requests may wait for their turn to send a mail; more are rejected at once. Default: 1000. */
    readonly email_queue?: number | undefined
    /** Subject of the confirmation mail, a template. */
    readonly email_template_confirmation_subject?: string | undefined
    /** HTML of the confirmation mail, a template. */
    readonly email_template_confirmation_content?: string | undefined
    /** Where the HTML of the confirmation mail is: a file below the project’s folder, or an address. */
    readonly email_template_confirmation_content_path?: string | undefined
    /** Subject of the invite mail, a template. */
    readonly email_template_invite_subject?: string | undefined
    /** HTML of the invite mail, a template. */
    readonly email_template_invite_content?: string | undefined
    /** Where the HTML of the invite mail is: a file below the project’s folder, or an address. */
    readonly email_template_invite_content_path?: string | undefined
    /** Subject of the magic link mail, a template. */
    readonly email_template_magic_link_subject?: string | undefined
    /** HTML of the magic link mail, a template. */
    readonly email_template_magic_link_content?: string | undefined
    /** Where the HTML of the magic link mail is: a file below the project’s folder, or an address. */
    readonly email_template_magic_link_content_path?: string | undefined
    /** Subject of the recovery mail, a template. */
    readonly email_template_recovery_subject?: string | undefined
    /** HTML of the recovery mail, a template. */
    readonly email_template_recovery_content?: string | undefined
    /** Where the HTML of the recovery mail is: a file below the project’s folder, or an address. */
    readonly email_template_recovery_content_path?: string | undefined
    /** Subject of the email change mail, a template. */
    readonly email_template_email_change_subject?: string | undefined
    /** HTML of the email change mail, a template. */
    readonly email_template_email_change_content?: string | undefined
    /** Where the HTML of the email change mail is: a file below the project’s folder, or an address. */
    readonly email_template_email_change_content_path?: string | undefined
    /** Subject of the reauthentication mail, a template. */
    readonly email_template_reauthentication_subject?: string | undefined
    /** HTML of the reauthentication mail, a template. */
    readonly email_template_reauthentication_content?: string | undefined
    /** Where the HTML of the reauthentication mail is: a file below the project’s folder, or an address. */
    readonly email_template_reauthentication_content_path?: string | undefined
    /** Whether the password changed notification is sent. Default: false. */
    readonly email_notification_password_changed_enabled?: boolean | undefined
    /** Subject of the password changed notification mail, a template. */
    readonly email_notification_password_changed_subject?: string | undefined
    /** HTML of the password changed notification mail, a template. */
    readonly email_notification_password_changed_content?: string | undefined
    /** Where the HTML of the password changed notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_password_changed_content_path?: string | undefined
    /** Whether the email changed notification is sent. Default: false. */
    readonly email_notification_email_changed_enabled?: boolean | undefined
    /** Subject of the email changed notification mail, a template. */
    readonly email_notification_email_changed_subject?: string | undefined
    /** HTML of the email changed notification mail, a template. */
    readonly email_notification_email_changed_content?: string | undefined
    /** Where the HTML of the email changed notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_email_changed_content_path?: string | undefined
    /** Whether the phone changed notification is sent. Default: false. */
    readonly email_notification_phone_changed_enabled?: boolean | undefined
    /** Subject of the phone changed notification mail, a template. */
    readonly email_notification_phone_changed_subject?: string | undefined
    /** HTML of the phone changed notification mail, a template. */
    readonly email_notification_phone_changed_content?: string | undefined
    /** Where the HTML of the phone changed notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_phone_changed_content_path?: string | undefined
    /** Whether the identity linked notification is sent. Default: false. */
    readonly email_notification_identity_linked_enabled?: boolean | undefined
    /** Subject of the identity linked notification mail, a template. */
    readonly email_notification_identity_linked_subject?: string | undefined
    /** HTML of the identity linked notification mail, a template. */
    readonly email_notification_identity_linked_content?: string | undefined
    /** Where the HTML of the identity linked notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_identity_linked_content_path?: string | undefined
    /** Whether the identity unlinked notification is sent. Default: false. */
    readonly email_notification_identity_unlinked_enabled?: boolean | undefined
    /** Subject of the identity unlinked notification mail, a template. */
    readonly email_notification_identity_unlinked_subject?: string | undefined
    /** HTML of the identity unlinked notification mail, a template. */
    readonly email_notification_identity_unlinked_content?: string | undefined
    /** Where the HTML of the identity unlinked notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_identity_unlinked_content_path?: string | undefined
    /** Whether the mfa factor enrolled notification is sent. Default: false. */
    readonly email_notification_mfa_factor_enrolled_enabled?: boolean | undefined
    /** Subject of the mfa factor enrolled notification mail, a template. */
    readonly email_notification_mfa_factor_enrolled_subject?: string | undefined
    /** HTML of the mfa factor enrolled notification mail, a template. */
    readonly email_notification_mfa_factor_enrolled_content?: string | undefined
    /** Where the HTML of the mfa factor enrolled notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_mfa_factor_enrolled_content_path?: string | undefined
    /** Whether the mfa factor unenrolled notification is sent. Default: false. */
    readonly email_notification_mfa_factor_unenrolled_enabled?: boolean | undefined
    /** Subject of the mfa factor unenrolled notification mail, a template. */
    readonly email_notification_mfa_factor_unenrolled_subject?: string | undefined
    /** HTML of the mfa factor unenrolled notification mail, a template. */
    readonly email_notification_mfa_factor_unenrolled_content?: string | undefined
    /** Where the HTML of the mfa factor unenrolled notification mail is: a file below the project’s folder, or an address. */
    readonly email_notification_mfa_factor_unenrolled_content_path?: string | undefined
    /** Whether a change of address must be confirmed at the current address, too. Default: true. */
    readonly email_double_confirm_changes?: boolean | undefined
    /** Digits of a code sent by mail. Default: 6. */
    readonly email_otp_length?: number | undefined
    /** How long a code or link sent by mail can be used. Default: 3600. */
    readonly email_otp_expiry_seconds?: number | undefined
    /** The text of a message with a code. Default: "Your code is {{ .Code }}". */
    readonly sms_template?: string | undefined
    /** Digits of a code sent by text message. Default: 6. */
    readonly sms_otp_length?: number | undefined
    /** How long a code sent by text message can be used. Default: 60. */
    readonly sms_otp_expiry_seconds?: number | undefined
    /** Wrong guesses after which a code sent by mail or message is void: from the network that asked for it, and from all others together, each counted by itself. The link beside it stays good. Default: 10. */
    readonly otp_max_wrong_guesses?: number | undefined
    /** Numbers whose code is always the given one, and which are sent nothing; in clew.toml a table or a list. Default: []. */
    readonly sms_test_otp?: readonly string[] | Readonly<Record<string, string>> | undefined
    /** The instant (ISO 8601) after which the test numbers are numbers like any other. */
    readonly sms_test_otp_valid_until?: string | undefined
    /** How long the code of a PKCE flow can be exchanged. Default: 300. */
    readonly flow_state_expiry_seconds?: number | undefined
    /** Who delivers text messages; without one they stay in the inbox of a local instance. Default: "". */
    readonly sms_provider?: '' | 'twilio' | 'twilio_verify' | 'messagebird' | 'textlocal' | 'vonage' | undefined
    /** Where the provider is called, when that is not its own public address. */
    readonly sms_provider_url?: string | undefined
    /** How long one call to the provider may take. Default: 8. */
    readonly sms_provider_timeout_seconds?: number | undefined
    /** The largest answer of the provider that is read. Default: 65536. */
    readonly max_sms_provider_answer_bytes?: number | undefined
    /** Twilio: the account. */
    readonly sms_twilio_account_sid?: string | undefined
    /** Twilio: the messaging service, or the number, that sends. */
    readonly sms_twilio_message_service_sid?: string | undefined
    /** Twilio: the token. */
    readonly sms_twilio_auth_token?: string | undefined
    /** Twilio: the content template that WhatsApp messages use. */
    readonly sms_twilio_content_sid?: string | undefined
    /** Twilio Verify: the account. */
    readonly sms_twilio_verify_account_sid?: string | undefined
    /** Twilio Verify: the service. */
    readonly sms_twilio_verify_message_service_sid?: string | undefined
    /** Twilio Verify: the token. */
    readonly sms_twilio_verify_auth_token?: string | undefined
    /** MessageBird: the sender. */
    readonly sms_messagebird_originator?: string | undefined
    /** MessageBird: the key. */
    readonly sms_messagebird_access_key?: string | undefined
    /** Textlocal: the sender. */
    readonly sms_textlocal_sender?: string | undefined
    /** Textlocal: the key. */
    readonly sms_textlocal_api_key?: string | undefined
    /** Vonage: the sender. */
    readonly sms_vonage_from?: string | undefined
    /** Vonage: the key. */
    readonly sms_vonage_api_key?: string | undefined
    /** Vonage: the secret of the key. */
    readonly sms_vonage_api_secret?: string | undefined
    /** The least time between two mails of one kind to one user. Default: 1. */
    readonly email_max_frequency_seconds?: number | undefined
    /** The least time between two messages of one kind to one user. Default: 5. */
    readonly sms_max_frequency_seconds?: number | undefined
    /** Whether calls are limited by the address they come from; on in production. Default: false. */
    readonly rate_limit_by_address?: boolean | undefined
    /** Sign-ups, mails and changes of a user in five minutes from one address, each counted by itself. Default: 30. */
    readonly rate_limit_sign_in_sign_ups?: number | undefined
    /** Sign-ins and refreshes in five minutes from one address; exchanges of the OAuth server likewise, counted by themselves. Default: 150. */
    readonly rate_limit_token_refresh?: number | undefined
    /** Codes and links tried in five minutes from one address; of wrong codes for one contact as many are answered as wrong, more as too many. Default: 30. */
    readonly rate_limit_token_verifications?: number | undefined
    /** Anonymous sign-ups in an hour from one address. Default: 30. */
    readonly rate_limit_anonymous_users?: number | undefined
    /** Mails of the whole project, as `30` (an hour) or `100/24h`; 0 for none. Where nothing is said 30 an hour if calls are limited by address, else any number. Not counted while addresses need no confirmation. */
    readonly rate_limit_email_sent?: string | undefined
    /** Text messages of the whole project, likewise. */
    readonly rate_limit_sms_sent?: string | undefined
    /** Whether lists of users that ask for no page are walked by a cursor and not counted; experimental. Default: false. */
    readonly admin_cursor_pagination?: boolean | undefined
    /** Whether signing up and in asks for a captcha. Default: false. */
    readonly captcha_enabled?: boolean | undefined
    /** Who checks captchas. Default: "hcaptcha". */
    readonly captcha_provider?: 'hcaptcha' | 'turnstile' | undefined
    /** The secret that the checker gave. */
    readonly captcha_secret?: string | undefined
    /** Where captchas are checked, when that is not the provider’s own address. */
    readonly captcha_url?: string | undefined
    /** How long the checker may take. Default: 5. */
    readonly captcha_timeout_seconds?: number | undefined
    /** The largest answer of the checker that is read. Default: 65536. */
    readonly max_captcha_answer_bytes?: number | undefined
    /** What is asked before a user is created, and may refuse. */
    readonly hook_before_user_created_uri?: string | undefined
    /** What calls of the before-user-created hook are signed with, when it is a web address. */
    readonly hook_before_user_created_secrets?: string | undefined
    /** What is told of every new user. */
    readonly hook_after_user_created_uri?: string | undefined
    /** What calls of the after-user-created hook are signed with, when it is a web address. */
    readonly hook_after_user_created_secrets?: string | undefined
    /** What makes the claims of every access token. */
    readonly hook_custom_access_token_uri?: string | undefined
    /** What calls of the access token hook are signed with, when it is a web address. */
    readonly hook_custom_access_token_secrets?: string | undefined
    /** What judges every try at a second factor. */
    readonly hook_mfa_verification_attempt_uri?: string | undefined
    /** What calls of the second factor hook are signed with, when it is a web address. */
    readonly hook_mfa_verification_attempt_secrets?: string | undefined
    /** What judges every try at a password. */
    readonly hook_password_verification_attempt_uri?: string | undefined
    /** What calls of the password hook are signed with, when it is a web address. */
    readonly hook_password_verification_attempt_secrets?: string | undefined
    /** What sends text messages instead of a provider. */
    readonly hook_send_sms_uri?: string | undefined
    /** What calls of the text message hook are signed with, when it is a web address. */
    readonly hook_send_sms_secrets?: string | undefined
    /** What sends mails instead of the mail server. */
    readonly hook_send_email_uri?: string | undefined
    /** What calls of the mail hook are signed with, when it is a web address. */
    readonly hook_send_email_secrets?: string | undefined
    /** How long a hook at a web address may take, further tries included. Default: 5. */
    readonly hook_timeout_seconds?: number | undefined
    /** How long a hook that is a function of the database may run. Default: 2. */
    readonly hook_function_timeout_seconds?: number | undefined
    /** The longest answer of a hook at a web address. Default: 204800. */
    readonly max_hook_answer_bytes?: number | undefined
    /** Whether other applications may sign users in through this one (OAuth 2.1 and OpenID Connect). Default: false. */
    readonly oauth_server_enabled?: boolean | undefined
    /** Whether such applications may register themselves (RFC 7591). Default: false. */
    readonly oauth_server_allow_dynamic_registration?: boolean | undefined
    /** The path below the site URL where a signed-in user is asked for consent. Default: "/oauth/consent". */
    readonly oauth_server_authorization_url_path?: string | undefined
    /** How long an authorization request and its code can be used. Default: 600. */
    readonly oauth_server_authorization_ttl_seconds?: number | undefined
    /** The scopes of a request that names none, separated by spaces. Default: "email". */
    readonly oauth_server_default_scope?: string | undefined
    /** Applications that register themselves in five minutes from one address. Default: 10. */
    readonly rate_limit_oauth_client_registrations?: number | undefined
    /** Whether users may sign in with apple. Default: false. */
    readonly external_apple_enabled?: boolean | undefined
    /** The client’s id at apple; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_apple_client_id?: readonly string[] | undefined
    /** The client’s secret at apple. */
    readonly external_apple_secret?: string | undefined
    /** Where apple sends users back to; by default the external URL with /callback. */
    readonly external_apple_redirect_uri?: string | undefined
    /** The base address of apple, for installations of one’s own and tenants. */
    readonly external_apple_url?: string | undefined
    /** Whether ID tokens of apple are accepted without comparing a nonce. Default: false. */
    readonly external_apple_skip_nonce_check?: boolean | undefined
    /** Whether users of apple may come in without an e-mail address. Default: false. */
    readonly external_apple_email_optional?: boolean | undefined
    /** Whether users may sign in with azure. Default: false. */
    readonly external_azure_enabled?: boolean | undefined
    /** The client’s id at azure; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_azure_client_id?: readonly string[] | undefined
    /** The client’s secret at azure. */
    readonly external_azure_secret?: string | undefined
    /** Where azure sends users back to; by default the external URL with /callback. */
    readonly external_azure_redirect_uri?: string | undefined
    /** The base address of azure, for installations of one’s own and tenants. */
    readonly external_azure_url?: string | undefined
    /** Whether ID tokens of azure are accepted without comparing a nonce. Default: false. */
    readonly external_azure_skip_nonce_check?: boolean | undefined
    /** Whether users of azure may come in without an e-mail address. Default: false. */
    readonly external_azure_email_optional?: boolean | undefined
    /** Whether users may sign in with bitbucket. Default: false. */
    readonly external_bitbucket_enabled?: boolean | undefined
    /** The client’s id at bitbucket; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_bitbucket_client_id?: readonly string[] | undefined
    /** The client’s secret at bitbucket. */
    readonly external_bitbucket_secret?: string | undefined
    /** Where bitbucket sends users back to; by default the external URL with /callback. */
    readonly external_bitbucket_redirect_uri?: string | undefined
    /** The base address of bitbucket, for installations of one’s own and tenants. */
    readonly external_bitbucket_url?: string | undefined
    /** Whether ID tokens of bitbucket are accepted without comparing a nonce. Default: false. */
    readonly external_bitbucket_skip_nonce_check?: boolean | undefined
    /** Whether users of bitbucket may come in without an e-mail address. Default: false. */
    readonly external_bitbucket_email_optional?: boolean | undefined
    /** Whether users may sign in with discord. Default: false. */
    readonly external_discord_enabled?: boolean | undefined
    /** The client’s id at discord; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_discord_client_id?: readonly string[] | undefined
    /** The client’s secret at discord. */
    readonly external_discord_secret?: string | undefined
    /** Where discord sends users back to; by default the external URL with /callback. */
    readonly external_discord_redirect_uri?: string | undefined
    /** The base address of discord, for installations of one’s own and tenants. */
    readonly external_discord_url?: string | undefined
    /** Whether ID tokens of discord are accepted without comparing a nonce. Default: false. */
    readonly external_discord_skip_nonce_check?: boolean | undefined
    /** Whether users of discord may come in without an e-mail address. Default: false. */
    readonly external_discord_email_optional?: boolean | undefined
    /** Whether users may sign in with facebook. Default: false. */
    readonly external_facebook_enabled?: boolean | undefined
    /** The client’s id at facebook; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_facebook_client_id?: readonly string[] | undefined
    /** The client’s secret at facebook. */
    readonly external_facebook_secret?: string | undefined
    /** Where facebook sends users back to; by default the external URL with /callback. */
    readonly external_facebook_redirect_uri?: string | undefined
    /** The base address of facebook, for installations of one’s own and tenants. */
    readonly external_facebook_url?: string | undefined
    /** Whether ID tokens of facebook are accepted without comparing a nonce. Default: false. */
    readonly external_facebook_skip_nonce_check?: boolean | undefined
    /** Whether users of facebook may come in without an e-mail address. Default: false. */
    readonly external_facebook_email_optional?: boolean | undefined
    /** Whether users may sign in with figma. Default: false. */
    readonly external_figma_enabled?: boolean | undefined
    /** The client’s id at figma; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_figma_client_id?: readonly string[] | undefined
    /** The client’s secret at figma. */
    readonly external_figma_secret?: string | undefined
    /** Where figma sends users back to; by default the external URL with /callback. */
    readonly external_figma_redirect_uri?: string | undefined
    /** The base address of figma, for installations of one’s own and tenants. */
    readonly external_figma_url?: string | undefined
    /** Whether ID tokens of figma are accepted without comparing a nonce. Default: false. */
    readonly external_figma_skip_nonce_check?: boolean | undefined
    /** Whether users of figma may come in without an e-mail address. Default: false. */
    readonly external_figma_email_optional?: boolean | undefined
    /** Whether users may sign in with fly. Default: false. */
    readonly external_fly_enabled?: boolean | undefined
    /** The client’s id at fly; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_fly_client_id?: readonly string[] | undefined
    /** The client’s secret at fly. */
    readonly external_fly_secret?: string | undefined
    /** Where fly sends users back to; by default the external URL with /callback. */
    readonly external_fly_redirect_uri?: string | undefined
    /** The base address of fly, for installations of one’s own and tenants. */
    readonly external_fly_url?: string | undefined
    /** Whether ID tokens of fly are accepted without comparing a nonce. Default: false. */
    readonly external_fly_skip_nonce_check?: boolean | undefined
    /** Whether users of fly may come in without an e-mail address. Default: false. */
    readonly external_fly_email_optional?: boolean | undefined
    /** Whether users may sign in with github. Default: false. */
    readonly external_github_enabled?: boolean | undefined
    /** The client’s id at github; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_github_client_id?: readonly string[] | undefined
    /** The client’s secret at github. */
    readonly external_github_secret?: string | undefined
    /** Where github sends users back to; by default the external URL with /callback. */
    readonly external_github_redirect_uri?: string | undefined
    /** The base address of github, for installations of one’s own and tenants. */
    readonly external_github_url?: string | undefined
    /** Whether ID tokens of github are accepted without comparing a nonce. Default: false. */
    readonly external_github_skip_nonce_check?: boolean | undefined
    /** Whether users of github may come in without an e-mail address. Default: false. */
    readonly external_github_email_optional?: boolean | undefined
    /** Whether users may sign in with gitlab. Default: false. */
    readonly external_gitlab_enabled?: boolean | undefined
    /** The client’s id at gitlab; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_gitlab_client_id?: readonly string[] | undefined
    /** The client’s secret at gitlab. */
    readonly external_gitlab_secret?: string | undefined
    /** Where gitlab sends users back to; by default the external URL with /callback. */
    readonly external_gitlab_redirect_uri?: string | undefined
    /** The base address of gitlab, for installations of one’s own and tenants. */
    readonly external_gitlab_url?: string | undefined
    /** Whether ID tokens of gitlab are accepted without comparing a nonce. Default: false. */
    readonly external_gitlab_skip_nonce_check?: boolean | undefined
    /** Whether users of gitlab may come in without an e-mail address. Default: false. */
    readonly external_gitlab_email_optional?: boolean | undefined
    /** Whether users may sign in with google. Default: false. */
    readonly external_google_enabled?: boolean | undefined
    /** The client’s id at google; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_google_client_id?: readonly string[] | undefined
    /** The client’s secret at google. */
    readonly external_google_secret?: string | undefined
    /** Where google sends users back to; by default the external URL with /callback. */
    readonly external_google_redirect_uri?: string | undefined
    /** The base address of google, for installations of one’s own and tenants. */
    readonly external_google_url?: string | undefined
    /** Whether ID tokens of google are accepted without comparing a nonce. Default: false. */
    readonly external_google_skip_nonce_check?: boolean | undefined
    /** Whether users of google may come in without an e-mail address. Default: false. */
    readonly external_google_email_optional?: boolean | undefined
    /** Whether users may sign in with kakao. Default: false. */
    readonly external_kakao_enabled?: boolean | undefined
    /** The client’s id at kakao; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_kakao_client_id?: readonly string[] | undefined
    /** The client’s secret at kakao. */
    readonly external_kakao_secret?: string | undefined
    /** Where kakao sends users back to; by default the external URL with /callback. */
    readonly external_kakao_redirect_uri?: string | undefined
    /** The base address of kakao, for installations of one’s own and tenants. */
    readonly external_kakao_url?: string | undefined
    /** Whether ID tokens of kakao are accepted without comparing a nonce. Default: false. */
    readonly external_kakao_skip_nonce_check?: boolean | undefined
    /** Whether users of kakao may come in without an e-mail address. Default: false. */
    readonly external_kakao_email_optional?: boolean | undefined
    /** Whether users may sign in with keycloak. Default: false. */
    readonly external_keycloak_enabled?: boolean | undefined
    /** The client’s id at keycloak; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_keycloak_client_id?: readonly string[] | undefined
    /** The client’s secret at keycloak. */
    readonly external_keycloak_secret?: string | undefined
    /** Where keycloak sends users back to; by default the external URL with /callback. */
    readonly external_keycloak_redirect_uri?: string | undefined
    /** The base address of keycloak, for installations of one’s own and tenants. */
    readonly external_keycloak_url?: string | undefined
    /** Whether ID tokens of keycloak are accepted without comparing a nonce. Default: false. */
    readonly external_keycloak_skip_nonce_check?: boolean | undefined
    /** Whether users of keycloak may come in without an e-mail address. Default: false. */
    readonly external_keycloak_email_optional?: boolean | undefined
    /** Whether users may sign in with linkedin. Default: false. */
    readonly external_linkedin_enabled?: boolean | undefined
    /** The client’s id at linkedin; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_linkedin_client_id?: readonly string[] | undefined
    /** The client’s secret at linkedin. */
    readonly external_linkedin_secret?: string | undefined
    /** Where linkedin sends users back to; by default the external URL with /callback. */
    readonly external_linkedin_redirect_uri?: string | undefined
    /** The base address of linkedin, for installations of one’s own and tenants. */
    readonly external_linkedin_url?: string | undefined
    /** Whether ID tokens of linkedin are accepted without comparing a nonce. Default: false. */
    readonly external_linkedin_skip_nonce_check?: boolean | undefined
    /** Whether users of linkedin may come in without an e-mail address. Default: false. */
    readonly external_linkedin_email_optional?: boolean | undefined
    /** Whether users may sign in with linkedin_oidc. Default: false. */
    readonly external_linkedin_oidc_enabled?: boolean | undefined
    /** The client’s id at linkedin_oidc; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_linkedin_oidc_client_id?: readonly string[] | undefined
    /** The client’s secret at linkedin_oidc. */
    readonly external_linkedin_oidc_secret?: string | undefined
    /** Where linkedin_oidc sends users back to; by default the external URL with /callback. */
    readonly external_linkedin_oidc_redirect_uri?: string | undefined
    /** The base address of linkedin_oidc, for installations of one’s own and tenants. */
    readonly external_linkedin_oidc_url?: string | undefined
    /** Whether ID tokens of linkedin_oidc are accepted without comparing a nonce. Default: false. */
    readonly external_linkedin_oidc_skip_nonce_check?: boolean | undefined
    /** Whether users of linkedin_oidc may come in without an e-mail address. Default: false. */
    readonly external_linkedin_oidc_email_optional?: boolean | undefined
    /** Whether users may sign in with notion. Default: false. */
    readonly external_notion_enabled?: boolean | undefined
    /** The client’s id at notion; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_notion_client_id?: readonly string[] | undefined
    /** The client’s secret at notion. */
    readonly external_notion_secret?: string | undefined
    /** Where notion sends users back to; by default the external URL with /callback. */
    readonly external_notion_redirect_uri?: string | undefined
    /** The base address of notion, for installations of one’s own and tenants. */
    readonly external_notion_url?: string | undefined
    /** Whether ID tokens of notion are accepted without comparing a nonce. Default: false. */
    readonly external_notion_skip_nonce_check?: boolean | undefined
    /** Whether users of notion may come in without an e-mail address. Default: false. */
    readonly external_notion_email_optional?: boolean | undefined
    /** Whether users may sign in with slack. Default: false. */
    readonly external_slack_enabled?: boolean | undefined
    /** The client’s id at slack; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_slack_client_id?: readonly string[] | undefined
    /** The client’s secret at slack. */
    readonly external_slack_secret?: string | undefined
    /** Where slack sends users back to; by default the external URL with /callback. */
    readonly external_slack_redirect_uri?: string | undefined
    /** The base address of slack, for installations of one’s own and tenants. */
    readonly external_slack_url?: string | undefined
    /** Whether ID tokens of slack are accepted without comparing a nonce. Default: false. */
    readonly external_slack_skip_nonce_check?: boolean | undefined
    /** Whether users of slack may come in without an e-mail address. Default: false. */
    readonly external_slack_email_optional?: boolean | undefined
    /** Whether users may sign in with slack_oidc. Default: false. */
    readonly external_slack_oidc_enabled?: boolean | undefined
    /** The client’s id at slack_oidc; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_slack_oidc_client_id?: readonly string[] | undefined
    /** The client’s secret at slack_oidc. */
    readonly external_slack_oidc_secret?: string | undefined
    /** Where slack_oidc sends users back to; by default the external URL with /callback. */
    readonly external_slack_oidc_redirect_uri?: string | undefined
    /** The base address of slack_oidc, for installations of one’s own and tenants. */
    readonly external_slack_oidc_url?: string | undefined
    /** Whether ID tokens of slack_oidc are accepted without comparing a nonce. Default: false. */
    readonly external_slack_oidc_skip_nonce_check?: boolean | undefined
    /** Whether users of slack_oidc may come in without an e-mail address. Default: false. */
    readonly external_slack_oidc_email_optional?: boolean | undefined
    /** Whether users may sign in with snapchat. Default: false. */
    readonly external_snapchat_enabled?: boolean | undefined
    /** The client’s id at snapchat; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_snapchat_client_id?: readonly string[] | undefined
    /** The client’s secret at snapchat. */
    readonly external_snapchat_secret?: string | undefined
    /** Where snapchat sends users back to; by default the external URL with /callback. */
    readonly external_snapchat_redirect_uri?: string | undefined
    /** The base address of snapchat, for installations of one’s own and tenants. */
    readonly external_snapchat_url?: string | undefined
    /** Whether ID tokens of snapchat are accepted without comparing a nonce. Default: false. */
    readonly external_snapchat_skip_nonce_check?: boolean | undefined
    /** Whether users of snapchat may come in without an e-mail address. Default: false. */
    readonly external_snapchat_email_optional?: boolean | undefined
    /** Whether users may sign in with spotify. Default: false. */
    readonly external_spotify_enabled?: boolean | undefined
    /** The client’s id at spotify; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_spotify_client_id?: readonly string[] | undefined
    /** The client’s secret at spotify. */
    readonly external_spotify_secret?: string | undefined
    /** Where spotify sends users back to; by default the external URL with /callback. */
    readonly external_spotify_redirect_uri?: string | undefined
    /** The base address of spotify, for installations of one’s own and tenants. */
    readonly external_spotify_url?: string | undefined
    /** Whether ID tokens of spotify are accepted without comparing a nonce. Default: false. */
    readonly external_spotify_skip_nonce_check?: boolean | undefined
    /** Whether users of spotify may come in without an e-mail address. Default: false. */
    readonly external_spotify_email_optional?: boolean | undefined
    /** Whether users may sign in with twitch. Default: false. */
    readonly external_twitch_enabled?: boolean | undefined
    /** The client’s id at twitch; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_twitch_client_id?: readonly string[] | undefined
    /** The client’s secret at twitch. */
    readonly external_twitch_secret?: string | undefined
    /** Where twitch sends users back to; by default the external URL with /callback. */
    readonly external_twitch_redirect_uri?: string | undefined
    /** The base address of twitch, for installations of one’s own and tenants. */
    readonly external_twitch_url?: string | undefined
    /** Whether ID tokens of twitch are accepted without comparing a nonce. Default: false. */
    readonly external_twitch_skip_nonce_check?: boolean | undefined
    /** Whether users of twitch may come in without an e-mail address. Default: false. */
    readonly external_twitch_email_optional?: boolean | undefined
    /** Whether users may sign in with twitter. Default: false. */
    readonly external_twitter_enabled?: boolean | undefined
    /** The client’s id at twitter; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_twitter_client_id?: readonly string[] | undefined
    /** The client’s secret at twitter. */
    readonly external_twitter_secret?: string | undefined
    /** Where twitter sends users back to; by default the external URL with /callback. */
    readonly external_twitter_redirect_uri?: string | undefined
    /** The base address of twitter, for installations of one’s own and tenants. */
    readonly external_twitter_url?: string | undefined
    /** Whether ID tokens of twitter are accepted without comparing a nonce. Default: false. */
    readonly external_twitter_skip_nonce_check?: boolean | undefined
    /** Whether users of twitter may come in without an e-mail address. Default: false. */
    readonly external_twitter_email_optional?: boolean | undefined
    /** Whether users may sign in with vercel_marketplace. Default: false. */
    readonly external_vercel_marketplace_enabled?: boolean | undefined
    /** The client’s id at vercel_marketplace; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_vercel_marketplace_client_id?: readonly string[] | undefined
    /** The client’s secret at vercel_marketplace. */
    readonly external_vercel_marketplace_secret?: string | undefined
    /** Where vercel_marketplace sends users back to; by default the external URL with /callback. */
    readonly external_vercel_marketplace_redirect_uri?: string | undefined
    /** The base address of vercel_marketplace, for installations of one’s own and tenants. */
    readonly external_vercel_marketplace_url?: string | undefined
    /** Whether ID tokens of vercel_marketplace are accepted without comparing a nonce. Default: false. */
    readonly external_vercel_marketplace_skip_nonce_check?: boolean | undefined
    /** Whether users of vercel_marketplace may come in without an e-mail address. Default: false. */
    readonly external_vercel_marketplace_email_optional?: boolean | undefined
    /** Whether users may sign in with workos. Default: false. */
    readonly external_workos_enabled?: boolean | undefined
    /** The client’s id at workos; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_workos_client_id?: readonly string[] | undefined
    /** The client’s secret at workos. */
    readonly external_workos_secret?: string | undefined
    /** Where workos sends users back to; by default the external URL with /callback. */
    readonly external_workos_redirect_uri?: string | undefined
    /** The base address of workos, for installations of one’s own and tenants. */
    readonly external_workos_url?: string | undefined
    /** Whether ID tokens of workos are accepted without comparing a nonce. Default: false. */
    readonly external_workos_skip_nonce_check?: boolean | undefined
    /** Whether users of workos may come in without an e-mail address. Default: false. */
    readonly external_workos_email_optional?: boolean | undefined
    /** Whether users may sign in with x. Default: false. */
    readonly external_x_enabled?: boolean | undefined
    /** The client’s id at x; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_x_client_id?: readonly string[] | undefined
    /** The client’s secret at x. */
    readonly external_x_secret?: string | undefined
    /** Where x sends users back to; by default the external URL with /callback. */
    readonly external_x_redirect_uri?: string | undefined
    /** The base address of x, for installations of one’s own and tenants. */
    readonly external_x_url?: string | undefined
    /** Whether ID tokens of x are accepted without comparing a nonce. Default: false. */
    readonly external_x_skip_nonce_check?: boolean | undefined
    /** Whether users of x may come in without an e-mail address. Default: false. */
    readonly external_x_email_optional?: boolean | undefined
    /** Whether users may sign in with zoom. Default: false. */
    readonly external_zoom_enabled?: boolean | undefined
    /** The client’s id at zoom; further ones are accepted as audiences of ID tokens, as of mobile apps. Default: []. */
    readonly external_zoom_client_id?: readonly string[] | undefined
    /** The client’s secret at zoom. */
    readonly external_zoom_secret?: string | undefined
    /** Where zoom sends users back to; by default the external URL with /callback. */
    readonly external_zoom_redirect_uri?: string | undefined
    /** The base address of zoom, for installations of one’s own and tenants. */
    readonly external_zoom_url?: string | undefined
    /** Whether ID tokens of zoom are accepted without comparing a nonce. Default: false. */
    readonly external_zoom_skip_nonce_check?: boolean | undefined
    /** Whether users of zoom may come in without an e-mail address. Default: false. */
    readonly external_zoom_email_optional?: boolean | undefined
    /** The Apple developer team, where the client secret is made here from a key instead of configured. */
    readonly external_apple_team_id?: string | undefined
    /** The id of that key. */
    readonly external_apple_key_id?: string | undefined
    /** That key, as the PEM text of the .p8 file. */
    readonly external_apple_private_key?: string | undefined
    /** Further issuers whose ID tokens are exchanged for a session when the call names issuer and client_id. Default: []. */
    readonly external_allowed_id_token_issuers?: readonly string[] | undefined
    /** How long one call to a provider may take. Default: 10. */
    readonly external_timeout_seconds?: number | undefined
    /** The largest answer of a provider that is read. Default: 1048576. */
    readonly max_external_answer_bytes?: number | undefined
    /** How many OpenID issuers are remembered with their configuration and keys. Default: 200. */
    readonly remembered_issuers?: number | undefined
    /** Providers whose users are linked by e-mail address only to those of the same domain. Default: []. */
    readonly provider_linking_domains?: readonly string[] | undefined
    /** Whether users may add and remove ways to sign in by themselves. Default: false. */
    readonly enable_manual_linking?: boolean | undefined
    /** Whether users of providers may sign in before their e-mail address is confirmed. Default: false. */
    readonly email_allow_unverified_sign_ins?: boolean | undefined
    /** Whether administrators may add OAuth and OpenID Connect providers of their own. Default: true. */
    readonly custom_providers_enabled?: boolean | undefined
    /** How many custom providers there may be; 0 for no limit. Default: 0. */
    readonly custom_providers_max?: number | undefined
    /** For development: whether custom providers may be on this machine, without https. Default: false. */
    readonly custom_providers_allow_loopback?: boolean | undefined
    /** Factors a user may have, verified or not. Default: 10. */
    readonly mfa_max_enrolled_factors?: number | undefined
    /** Verified factors a user may have. Default: 10. */
    readonly mfa_max_verified_factors?: number | undefined
    /** How long the challenge of a factor can be answered. Default: 300. */
    readonly mfa_challenge_expiry_seconds?: number | undefined
    /** After how long a factor that was never challenged makes way for another one. Default: 300. */
    readonly mfa_factor_expiry_seconds?: number | undefined
    /** Whether authenticator apps may be enrolled. Default: true. */
    readonly mfa_totp_enroll_enabled?: boolean | undefined
    /** Whether codes of authenticator apps are accepted. Default: true. */
    readonly mfa_totp_verify_enabled?: boolean | undefined
    /** Whether phones may be enrolled as second factors. Default: false. */
    readonly mfa_phone_enroll_enabled?: boolean | undefined
    /** Whether codes sent to second-factor phones are accepted. Default: false. */
    readonly mfa_phone_verify_enabled?: boolean | undefined
    /** Digits of a code sent to a second-factor phone. Default: 6. */
    readonly mfa_phone_otp_length?: number | undefined
    /** The text of a message with a second factor’s code. Default: "Your code is {{ .Code }}". */
    readonly mfa_phone_template?: string | undefined
    /** The least time between two messages to one second-factor phone. Default: 60. */
    readonly mfa_phone_max_frequency_seconds?: number | undefined
    /** Whether security keys may be enrolled as second factors. Default: false. */
    readonly mfa_web_authn_enroll_enabled?: boolean | undefined
    /** Whether security keys are accepted as second factors. Default: false. */
    readonly mfa_web_authn_verify_enabled?: boolean | undefined
    /** Challenges, and answers to them, in a minute from one address, each counted by itself; answers for one factor likewise. Default: 15. */
    readonly rate_limit_mfa?: number | undefined
    /** Whether users may sign in with passkeys. Default: false. */
    readonly passkey_enabled?: boolean | undefined
    /** Passkeys a user may have. Default: 10. */
    readonly passkey_max_per_user?: number | undefined
    /** The domain that passkeys and security keys are bound to; by default the site URL’s host. */
    readonly webauthn_rp_id?: string | undefined
    /** What the browser calls the application while a passkey is made; by default the domain. */
    readonly webauthn_rp_display_name?: string | undefined
    /** Where passkeys and security keys may be used from; the site URL’s origin when empty. Default: []. */
    readonly webauthn_rp_origins?: readonly string[] | undefined
    /** How long a passkey ceremony may take. Default: 300. */
    readonly webauthn_challenge_expiry_seconds?: number | undefined
    /** Whether users may sign in through their organisation’s SAML provider. Default: false. */
    readonly saml_enabled?: boolean | undefined
    /** What signs our requests, and reads encrypted assertions; needed where SAML is on. */
    readonly saml_private_key?: string | undefined
    /** The key that will take its place: announced, and tried for encrypted assertions. */
    readonly saml_private_key_next?: string | undefined
    /** Whether providers may encrypt assertions for us. Default: false. */
    readonly saml_allow_encrypted_assertions?: boolean | undefined
    /** How long a user may take to sign in at their provider. Default: 120. */
    readonly saml_relay_state_validity_seconds?: number | undefined
    /** How far a provider’s clock may differ from ours. Default: 180. */
    readonly saml_clock_skew_seconds?: number | undefined
    /** How long the answer of a provider’s metadata address may take. Default: 5000. */
    readonly saml_metadata_timeout_ms?: number | undefined
    /** The largest metadata document that is read. Default: 1048576. */
    readonly max_saml_metadata_bytes?: number | undefined
    /** Beginnings of single sign-on in five minutes from one address. Default: 30. */
    readonly rate_limit_sso?: number | undefined
    /** SAML responses in five minutes from one address. Default: 15. */
    readonly rate_limit_saml_assertion?: number | undefined
    /** Whether users may sign in with an Ethereum wallet. Default: false. */
    readonly web3_ethereum_enabled?: boolean | undefined
    /** Whether users may sign in with a Solana wallet. Default: false. */
    readonly web3_solana_enabled?: boolean | undefined
    /** How old, or how far ahead, the message may be that a wallet has signed. Default: 600. */
    readonly web3_maximum_validity_seconds?: number | undefined
    /** Sign-ins by wallet in five minutes from one address. Default: 30. */
    readonly rate_limit_web3?: number | undefined
  }
  /** The section `[analytics]`. */
  readonly analytics?: {
    /** Largest body with events, after decompression, in bytes. Default: 20971520. */
    readonly max_body_bytes?: number | undefined
    /** Most events of one request. Default: 20000. */
    readonly max_batch_events?: number | undefined
    /** Largest single event as JSON, in bytes; larger ones are left out of their batch. Default: 1048576. */
    readonly max_event_bytes?: number | undefined
    /** Largest body with recordings, after decompression, in bytes. Default: 26214400. */
    readonly max_recording_body_bytes?: number | undefined
    /** Largest body of a request for flags, after decompression, in bytes. Default: 1048576. */
    readonly max_flags_body_bytes?: number | undefined
    /** Distinct ids that are remembered to have a person, so that their next event asks no database. Default: 100000. */
    readonly remembered_distinct_ids?: number | undefined
    /** Links of a distinct id to a user that are remembered, so that their next call asks no database. Default: 20000. */
    readonly remembered_user_links?: number | undefined
    /** How much later an event of a person must be than the last that was noted, in seconds, to change their place in the list of people. Default: 60. */
    readonly last_seen_seconds?: number | undefined
    /** Exceptions of one session that are compared with the errors of its recorded console; further ones are only counted. Default: 500. */
    readonly exceptions_per_session?: number | undefined
    /** Properties of events that have a column of their own in ClickHouse, so that filters and experiments read it and not all properties; those that are asked for most. 0: none. Default: 10. */
    readonly property_columns?: number | undefined
    /** How often a property must be asked for within `property_column_days` to have a column. Default: 20. */
    readonly property_column_uses?: number | undefined
    /** The column of a property that was not asked for in so many days is dropped. Default: 30. */
    readonly property_column_days?: number | undefined
    /** What `Retry-After` says when the spool is full, in seconds. Default: 5. */
    readonly retry_after_seconds?: number | undefined
    /** Whether browsers are told to record sessions. Default: true. */
    readonly record_sessions?: boolean | undefined
    /** Whether recordings hold the lines of the browser’s console. Default: true. */
    readonly record_console?: boolean | undefined
    /** Whether recordings hold the headers of requests and answers, without credentials. Answers of Clew name their request there. Default: true. */
    readonly record_network_headers?: boolean | undefined
    /** Whether recordings hold the bodies of requests and answers, without credentials. Default: false. */
    readonly record_network_bodies?: boolean | undefined
    /** Whether recordings hold how long pages, scripts, styles, images and calls of other servers took to load. Calls of the application with their headers are a setting of their own. Default: true. */
    readonly record_network_timing?: boolean | undefined
    /** Whether recordings hold pictures of canvas elements. Default: false. */
    readonly record_canvas?: boolean | undefined
    /** Pictures of a canvas that are recorded in a second. Default: 3. */
    readonly record_canvas_fps?: number | undefined
    /** The part of the sessions that is recorded, from 0 to 1. Default: 1. */
    readonly record_sample_rate?: string | undefined
    /** How long a session lasts before its recording is sent, in milliseconds. Default: 0. */
    readonly record_minimum_ms?: number | undefined
    /** Regular expressions of addresses: a recording begins at the first page that fits one of them. Default: []. */
    readonly record_url_triggers?: readonly string[] | undefined
    /** Regular expressions of addresses: a recording pauses while the page fits one of them. Default: []. */
    readonly record_url_blocklist?: readonly string[] | undefined
    /** Names of events: a recording begins at the first of them. Default: []. */
    readonly record_event_triggers?: readonly string[] | undefined
    /** The key of a feature flag: sessions are recorded for whom it is on; empty for none. Default: "". */
    readonly record_linked_flag?: string | undefined
    /** Whether one trigger suffices, or each kind of them (address, event, flag, sample) must have fired. Default: "all". */
    readonly record_trigger_match?: 'any' | 'all' | undefined
    /** Whether recordings show asterisks for what is typed; passwords are never recorded. Default: true. */
    readonly record_mask_inputs?: boolean | undefined
    /** A CSS selector of elements whose text is recorded as asterisks; “*” for all text; empty for none. Default: "". */
    readonly record_mask_text_selector?: string | undefined
    /** A CSS selector of elements that are recorded as empty boxes; empty for none. Default: "". */
    readonly record_block_selector?: string | undefined
    /** Whether browsers are told to capture clicks, changes and submissions by themselves. Default: true. */
    readonly capture_clicks?: boolean | undefined
    /** Whether browsers are told to capture clicks that nothing on the page answers. Default: false. */
    readonly capture_dead_clicks?: boolean | undefined
    /** Whether browsers are told to send where on a page people click and move. Default: false. */
    readonly capture_heatmaps?: boolean | undefined
    /** Whether browsers are told to capture uncaught exceptions. Default: true. */
    readonly capture_exceptions?: boolean | undefined
    /** Whether browsers are told to measure web vitals. Default: true. */
    readonly capture_web_vitals?: boolean | undefined
    /** Which web vitals browsers measure: when the largest content is seen (LCP), how long answers to clicks and keys take (INP), how far contents shift (CLS), when the first content is seen (FCP). Default: ["LCP","INP","CLS","FCP"]. */
    readonly capture_web_vitals_metrics?: readonly ('LCP' | 'INP' | 'CLS' | 'FCP')[] | undefined
    /** Cells of a heat map, those with the most first; further ones are left out. Default: 10000. */
    readonly heatmap_cells?: number | undefined
    /** Pages that the list of heat maps has, those with the most clicks and views first. Default: 500. */
    readonly heatmap_pages?: number | undefined
    /** Elements that are listed beside a heat map, the most clicked first. Default: 50. */
    readonly heatmap_elements?: number | undefined
    /** Sessions that are listed of an area of a heat map, the newest first. Default: 50. */
    readonly heatmap_sessions?: number | undefined
    /** Longest time that a browser may say of a web vital, in milliseconds; longer ones are left out. Default: 900000. */
    readonly vitals_max_ms?: number | undefined
    /** Largest layout shift (CLS) that a browser may say; larger ones are left out. Default: 100. */
    readonly vitals_max_shift?: string | undefined
    /** Paths that the table of web vitals has. Default: 200. */
    readonly vitals_paths?: number | undefined
    /** Worst visits of a path that are listed of a web vital. Default: 20. */
    readonly vitals_visits?: number | undefined
    /** Where analytics is served, as `api_host` of posthog-js names it behind the address: a name of your own is on no list of ad blockers. `/ingest` is served besides. Default: "/ingest". */
    readonly path?: string | undefined
    /** The path behind it that browsers are told to send events to. `/e/` is served besides: what a page captures before it has its configuration goes there. Default: "/e/". */
    readonly events_path?: string | undefined
    /** The path behind it that browsers are told to send recordings to. `/s/` is served besides. Default: "/s/". */
    readonly recordings_path?: string | undefined
    /** What is kept of an address that an event names in `$ip`: nothing, its first 24 bits (IPv6: 48), or all of it. The address that a request comes from is never a property. Default: "drop". */
    readonly addresses?: 'drop' | 'shorten' | 'keep' | undefined
    /** A file in MaxMind’s format (MMDB) with cities or countries, relative to the project folder, by which events and persons have the place of their address; a file that replaces it is read within a minute. Without one no place is derived. */
    readonly geo_database?: string | undefined
    /** Whether events, recordings and the tie of requests to a session are stored of visitors who did not answer (`not_required`), or of those only who consented (`required`). Default: "not_required". */
    readonly consent?: 'not_required' | 'required' | undefined
    /** The key of a user’s metadata (`options.data` of sign-up, `updateUser`) under which the application keeps their answer, true or false: it counts as their consent, or their withdrawal. */
    readonly consent_metadata?: string | undefined
  }
  /** The section `[flags]`. */
  readonly flags?: {
    /** Flags of a project that are not archived; all of them are in every answer. Default: 2000. */
    readonly max_flags?: number | undefined
    /** Cohorts of a project. Default: 500. */
    readonly max_cohorts?: number | undefined
    /** Persons in a cohort that is a list. Default: 100000. */
    readonly max_cohort_members?: number | undefined
    /** Tables of the application that the row conditions of all flags may look into. Default: 8. */
    readonly max_row_lookups?: number | undefined
    /** Most stored persons, or groups, that the console evaluates to estimate who would get a flag. Default: 2000. */
    readonly estimated_persons?: number | undefined
    /** How long such an estimate evaluates, in milliseconds; who is not evaluated by then is not counted. Default: 5000. */
    readonly estimate_ms?: number | undefined
  }
  /** The section `[experiments]`. */
  readonly experiments?: {
    /** Experiments of a project that are not archived. Default: 200. */
    readonly max_experiments?: number | undefined
    /** Distinct ids over which the result of an experiment is computed; a larger one is refused. Default: 200000. */
    readonly max_persons?: number | undefined
  }
  /** The section `[surveys]`. */
  readonly surveys?: {
    /** Surveys of a project that are not archived. Default: 200. */
    readonly max_surveys?: number | undefined
    /** The newest answers of a survey over which its results are counted. Default: 5000. */
    readonly counted_answers?: number | undefined
    /** Size of these answers: where they are larger, its results are counted over fewer. Default: 4. */
    readonly counted_mib?: number | undefined
  }
  /** The section `[shares]`. */
  readonly shares?: {
    /** Hours for which a link to a session can be valid. Default: 720. */
    readonly max_hours?: number | undefined
    /** Valid links to one session. Default: 20. */
    readonly per_session?: number | undefined
    /** Shared sessions that are sent at a time, by each process. Default: 4. */
    readonly concurrent?: number | undefined
  }
  /** The section `[notes]`. */
  readonly notes?: {
    /** Notes on one session. Default: 200. */
    readonly per_session?: number | undefined
  }
  /** The section `[privacy]`. */
  readonly privacy?: {
    /** Columns and properties of a project that are masked. Default: 200. */
    readonly max_masks?: number | undefined
    /** Columns that the console offers when a mask is set. Default: 5000. */
    readonly offered_columns?: number | undefined
    /** Names of properties that the console offers when a mask is set; any other is typed. Default: 1000. */
    readonly offered_properties?: number | undefined
  }
  /** The section `[exports]`. */
  readonly exports?: {
    /** Scheduled exports of a project. Default: 50. */
    readonly max_exports?: number | undefined
    /** Rows of events or requests in one file of an export, and fifty times fewer messages of recordings; what was stored in one batch stays together. Default: 500000. */
    readonly rows_per_file?: number | undefined
    /** Days for which the runs of exports are listed. Default: 90. */
    readonly run_days?: number | undefined
    /** Time before a file that could not be exported is tried again; each further wait is four times as long. Default: 30. */
    readonly first_retry_seconds?: number | undefined
    /** Times that a file is tried again before its run has failed; the next run goes on where it was. Default: 6. */
    readonly max_retries?: number | undefined
    /** How long a bucket’s server may be silent within a request. Default: 60. */
    readonly timeout_seconds?: number | undefined
  }
  /** The section `[replay]`. */
  readonly replay?: {
    /** How long recordings are kept, in days after they arrived. Default: 30. */
    readonly retention_days?: number | undefined
    /** Errors in a session’s recorded console that are compared with its captured exceptions; further ones are only counted. Default: 500. */
    readonly errors_per_session?: number | undefined
    /** Parts of a recording that the console is told of: its messages, or where there are more, the minutes of each tab. A recording that has more of both is read from its beginning to its end. Default: 50000. */
    readonly outlined_messages?: number | undefined
    /** MiB of a recording that are read to draw the page of a heat map; an earlier moment is drawn where it takes more. Default: 16. */
    readonly max_page_picture_mib?: number | undefined
    /** MiB that a recording which is imported from a file may unpack to. Default: 2048. */
    readonly max_recording_file_mib?: number | undefined
    /** Further origins that recordings may load pictures, fonts and style sheets from while they are watched, besides those of the public URL, the site URL and the addresses that links may lead to. Default: []. */
    readonly asset_origins?: readonly string[] | undefined
  }
  /** The section `[thread]`. */
  readonly thread?: {
    /** Days for which requests that only read are kept, with their statements. Default: 7. */
    readonly request_retention_days?: number | undefined
    /** Days for which row changes, and the requests that may have made them, are kept. Default: 90. */
    readonly change_retention_days?: number | undefined
    /** What is kept of the headers and bodies of requests and answers, without secrets and what is masked: none, headers, or bodies, which are JSON, forms and plain text with their headers. Default: "none". */
    readonly exchanges?: 'none' | 'headers' | 'bodies' | undefined
    /** Days for which headers and bodies are kept. Default: 3. */
    readonly exchange_retention_days?: number | undefined
    /** KiB of a body above which it is left out. Default: 16. */
    readonly exchange_body_kib?: number | undefined
    /** Moments of one session that the console is given; what is beyond is said to be cut. Default: 5000. */
    readonly moments_per_session?: number | undefined
    /** Sign-ins whose recorded session is remembered, for their calls that do not name it. Default: 20000. */
    readonly remembered_auth_sessions?: number | undefined
    /** Observations of sign-ins and links of persons that are remembered, so that they are not written again. Default: 50000. */
    readonly remembered_observations?: number | undefined
    /** Most sessions that a search finds. Default: 1000. */
    readonly searched_sessions?: number | undefined
    /** So many of the newest sessions are put in another order than the newest first. Default: 1000. */
    readonly ranked_sessions?: number | undefined
    /** Most requests, the newest of the time asked for, that the chart of requests counts. Default: 2000000. */
    readonly charted_requests?: number | undefined
    /** MiB of an unpacked recording that are read for the names of clicked elements when a session is opened. Default: 64. */
    readonly named_recording_mib?: number | undefined
    /** Milliseconds without activity after which the timeline shows a gap. Default: 15000. */
    readonly idle_gap_ms?: number | undefined
    /** Bytes of a column’s value above which the row history leaves it out. Default: 65536. */
    readonly max_value_bytes?: number | undefined
    /** Whether a browser’s Global Privacy Control (`Sec-GPC: 1`) keeps its calls from being tied to a session or an anonymous visitor. The user of a call’s token is known in any case. Default: true. */
    readonly respect_gpc?: boolean | undefined
    /** Columns whose values are never kept: names, * for any letters, a schema or table before a dot where needed. Default: ["*password*","*passwd*","*passphrase*","*secret*","*token*","hash","*_hash","hashed_*","*api_key*","*apikey*","*private_key*","*credential*","salt","*_salt","otp","*_otp","otp_*","cvv","cvc"]. */
    readonly secret_columns?: readonly string[] | undefined
  }
  /** The section `[issues]`. */
  readonly issues?: {
    /** Days for which exceptions are kept, and issues after they were last seen. Default: 90. */
    readonly retention_days?: number | undefined
    /** Issues that are kept; beyond them those that were not seen for the longest time are deleted. Default: 20000. */
    readonly max_issues?: number | undefined
    /** Rules by which exceptions are grouped or ignored. Default: 200. */
    readonly max_rules?: number | undefined
    /** The largest source map, unpacked, in MiB. Default: 64. */
    readonly max_source_map_mib?: number | undefined
    /** MiB of source maps, packed, that are kept in the database; beyond them the oldest ones are deleted. Default: 1024. */
    readonly source_maps_mib?: number | undefined
    /** Addresses that are mailed when an error is new or comes back. Default: []. */
    readonly alert_mails?: readonly string[] | undefined
    /** An address that is sent a JSON body when an error is new or comes back, with a `text` as chat services take it. Private hosts need an entry in allowed_hosts of [net]. */
    readonly alert_webhook_url?: string | undefined
    /** Minutes from one alert to the next: what happens in between is told in one. Default: 5. */
    readonly alert_minutes?: number | undefined
  }
  /** The section `[operators]`. */
  readonly operators?: {
    /** Days without a visit after which an operator must sign in again. Default: 30. */
    readonly session_days?: number | undefined
    /** Hours for which the link that creates the owner can be used. Default: 24. */
    readonly setup_link_hours?: number | undefined
    /** Hours for which the link of an invitation to the team can be used. Default: 72. */
    readonly invitation_hours?: number | undefined
    /** The least length of an operator’s password, in characters. Default: 10. */
    readonly minimum_password_length?: number | undefined
    /** Sign-ins from one address to one account within attempt_window_seconds. Default: 10. */
    readonly attempts_per_account?: number | undefined
    /** Sign-ins and uses of the set-up link from one address within attempt_window_seconds. Default: 60. */
    readonly attempts_per_address?: number | undefined
    /** Seconds in which the attempts of an account or address are counted. Default: 900. */
    readonly attempt_window_seconds?: number | undefined
    /** Seconds between the password and the second factor, or between a passkey’s challenge and its response. Default: 300. */
    readonly sign_in_step_seconds?: number | undefined
    /** Wrong second factors after which the password must be entered again. Default: 5. */
    readonly sign_in_step_attempts?: number | undefined
    /** How many sign-ins may wait for their second factor; one more ends the oldest. Default: 1000. */
    readonly open_sign_ins?: number | undefined
    /** Seconds after a proof of identity in which an operator may change second factors. Default: 600. */
    readonly proof_seconds?: number | undefined
    /** Access tokens that an operator may have. Default: 50. */
    readonly access_tokens?: number | undefined
    /** Saved views of the sessions that an operator may have, and that the team may have. Default: 100. */
    readonly session_views?: number | undefined
    /** Days for which the audit log keeps what operators did and looked at. Default: 730. */
    readonly audit_days?: number | undefined
    /** How many sign-ins may wait for a hash; more are rejected at once. Default: 100. */
    readonly password_hash_queue?: number | undefined
  }
  /** The section `[cron]`. */
  readonly cron?: {
    /** The time zone in which the schedules of jobs are read, as cron.timezone of pg_cron. Default: "GMT". */
    readonly time_zone?: string | undefined
    /** Jobs that run at a time, each on a connection of its own to PostgreSQL; others wait. Default: 32. */
    readonly max_running_jobs?: number | undefined
    /** Days for which the runs of jobs are kept in cron.job_run_details; 0 keeps them for ever. Default: 30. */
    readonly run_details_days?: number | undefined
  }
  /** The section `[net]`. */
  readonly net?: {
    /** Private hosts that requests from SQL and webhooks may reach: names, addresses, networks (10.0.0.0/8). Public hosts and the instance’s own API need no entry; a local instance reaches its machine as well. Default: []. */
    readonly allowed_hosts?: readonly string[] | undefined
    /** Requests from SQL in flight at a time, and as many webhooks. Default: 20. */
    readonly concurrency?: number | undefined
    /** Requests from SQL that begin in a second, and as many webhooks. Default: 200. */
    readonly requests_per_second?: number | undefined
    /** The longest time-out that a request from SQL or a webhook can ask for. Default: 300. */
    readonly max_timeout_seconds?: number | undefined
    /** The largest body that a request from SQL or a webhook can send. Default: 4096. */
    readonly max_body_kib?: number | undefined
    /** The largest response that is kept; a larger one is an error. Default: 2048. */
    readonly max_response_kib?: number | undefined
    /** Hours for which responses stay in net._http_response. Default: 6. */
    readonly response_hours?: number | undefined
    /** Days for which finished deliveries of webhooks, and requests that were sent, stay in schema clew_net, and triggered webhooks in supabase_functions.hooks. Default: 7. */
    readonly delivery_days?: number | undefined
    /** Attempts to deliver a webhook that is answered by 5xx, 408 or 429, or not at all. Default: 6. */
    readonly webhook_attempts?: number | undefined
    /** Time before the second attempt; each further one waits four times as long, six hours at most. Default: 5000. */
    readonly webhook_backoff_ms?: number | undefined
    /** The secret that webhooks are signed with (Standard Webhooks), in place of the data directory’s own, which `clew keys` prints. */
    readonly webhook_secret?: string | undefined
    /** Hours for which webhooks are signed with the secret of before as well, once webhook_secret has changed while the process runs: receivers take the new one meanwhile. Default: 24. */
    readonly webhook_secret_overlap_hours?: number | undefined
  }
  /** The section `[storage]`. */
  readonly storage?: {
    /** Whether /storage/v1 is served. Default: true. */
    readonly enabled?: boolean | undefined
    /** The largest object, whatever its bucket allows. Default: 52428800. */
    readonly file_size_limit_bytes?: number | undefined
    /** The largest object of one plain upload, where larger ones shall be resumable or of several parts. */
    readonly standard_upload_limit_bytes?: number | '' | undefined
    /** The most objects that one request lists, removes or signs. Default: 1000. */
    readonly objects_per_request?: number | undefined
    /** How long a signed URL of an upload is good. Default: 7200. */
    readonly signed_upload_seconds?: number | undefined
    /** How long a shared cache that asks whether its copy of an object is still good may keep it (`s-maxage`); 0 leaves that to the cache control of the object. Default: 0. */
    readonly shared_cache_seconds?: number | undefined
    /** How long a resumable upload may take; what is not finished by then is removed. Default: 24. */
    readonly resumable_hours?: number | undefined
    /** The most objects that a request to empty a bucket removes. Default: 200000. */
    readonly empty_bucket_objects?: number | undefined
    /** Buckets whose uploads must begin as files of their declared type do. Default: []. */
    readonly checked_buckets?: readonly string[] | undefined
    /** Where the bytes of objects are: in a folder, or in a bucket of another S3 server. Default: "folder". */
    readonly backend?: 'folder' | 's3' | undefined
    /** The folder of the objects’ files; one in the data directory by default. */
    readonly folder?: string | undefined
    /** The S3 server of the bucket; Amazon’s by default. */
    readonly s3_endpoint?: string | undefined
    /** The region of the bucket. Default: "us-east-1". */
    readonly s3_region?: string | undefined
    /** The bucket of the objects’ files, which nothing else writes. */
    readonly s3_bucket?: string | undefined
    /** The access key of the bucket. */
    readonly s3_access_key_id?: string | undefined
    /** The secret of the access key of the bucket. */
    readonly s3_secret_access_key?: string | undefined
    /** How long the S3 server may be silent within a request, before that fails. Default: 60. */
    readonly s3_timeout_seconds?: number | undefined
    /** Whether the bucket is named in the path rather than in the host name; Amazon wants the latter. Default: true. */
    readonly s3_force_path_style?: boolean | undefined
    /** Whether the S3 protocol is served at /storage/v1/s3; `clew keys` prints its access key. Default: true. */
    readonly s3_protocol?: boolean | undefined
    /** The region that clients of the S3 protocol are told; they may sign for any. Default: "local". */
    readonly s3_protocol_region?: string | undefined
    /** What each part of a multipart upload has at least, but for the last; Amazon asks for 5. Default: 5. */
    readonly s3_part_minimum_mib?: number | undefined
    /** How long a multipart upload may take; what is not completed by then is removed. Default: 168. */
    readonly s3_multipart_hours?: number | undefined
    /** Whether images are resized and converted: `/render/image`, and `transform` of signed URLs. Default: false. */
    readonly image_transformation?: boolean | undefined
    /** Formats that images are converted to where the client accepts them and asks for none, best first; AVIF takes several times as long as WebP. Default: ["webp","avif"]. */
    readonly image_formats?: readonly ('avif' | 'webp')[] | undefined
    /** Images that are changed at a time, in a process of lower priority. Default: 4. */
    readonly image_concurrency?: number | undefined
    /** Images that may wait to be changed; more are answered with 429. Default: 100. */
    readonly image_queue?: number | undefined
    /** How often a second one client may ask for one address of a changed image, whatever its options; four times as often at once. More are answered with 429. Default: 5. */
    readonly image_requests_per_second?: number | undefined
    /** The largest file that is changed. Default: 25. */
    readonly image_source_mib?: number | undefined
    /** The largest image that is changed: its width times its height. Default: 50. */
    readonly image_megapixels?: number | undefined
    /** How long it may take to change an image. Default: 10. */
    readonly image_seconds?: number | undefined
    /** Changed images that stay in memory, by their bytes; 0 for none. Default: 64. */
    readonly image_cache_mib?: number | undefined
  }
  /** The section `[functions]`. */
  readonly functions?: {
    /** Whether /functions/v1 is served. Default: true. */
    readonly enabled?: boolean | undefined
    /** Options of single functions by their names, as `[functions.<name>]` of config.toml has them. Default: {}. */
    readonly each?: Readonly<Record<string, { readonly enabled?: boolean; readonly verify_jwt?: boolean; readonly entrypoint?: string; readonly import_map?: string; readonly static_files?: readonly string[]; readonly queue?: { readonly name?: string; readonly attempts?: number; readonly backoff_ms?: number; readonly concurrency?: number; readonly timeout_seconds?: number } }>> | undefined
    /** Variables that every function finds in its environment, besides those of functions/.env. */
    readonly secrets?: Readonly<Record<string, string>> | undefined
    /** Private addresses and IPv4 networks that functions may reach. Public hosts need no entry; a local instance’s functions reach its machine as well. Default: []. */
    readonly allowed_hosts?: readonly string[] | undefined
    /** Whether functions connect over IPv6 in production. Their private networks of IPv6 are then refused by the machine’s firewall, or not at all; over IPv4 private networks are always refused. Default: false. */
    readonly ipv6?: boolean | undefined
    /** Whether a debugger may be attached to functions: at any time (`run`), before they start (`wait`), or before they start, where they halt (`brk`). In local mode only; limits of time, CPU time and memory do not hold then. Default: "off". */
    readonly inspect?: 'off' | 'run' | 'wait' | 'brk' | undefined
    /** The port on 127.0.0.1 where debuggers find the processes of all functions, the newest first; the next free one where it is taken. Default: 8083. */
    readonly inspector_port?: number | undefined
    /** Whether modules that are not in the cache are downloaded when a function changes. Default: true. */
    readonly remote_modules?: boolean | undefined
    /** How long the download of a function’s modules may take. Default: 120. */
    readonly install_seconds?: number | undefined
    /** The largest function: its files together. Default: 20. */
    readonly bundle_mib?: number | undefined
    /** The files of a deployment. Default: 2000. */
    readonly bundle_files?: number | undefined
    /** Versions of a function that are kept and can be rolled back to. Default: 20. */
    readonly kept_versions?: number | undefined
    /** Versions that are made at a time of deployments; 100 more wait. Default: 2. */
    readonly deployments?: number | undefined
    /** Secrets that operators may set. Default: 100. */
    readonly secret_count?: number | undefined
    /** The longest value of a secret. Default: 49152. */
    readonly secret_bytes?: number | undefined
    /** Whether the calls of a function share a process (`per_worker`), or each has one of its own (`oneshot`), which costs a start. Default: "per_worker". */
    readonly policy?: 'per_worker' | 'oneshot' | undefined
    /** Processes of functions that run at a time; an idle one makes room for another. Default: 20. */
    readonly workers?: number | undefined
    /** Calls of one function that run at a time. Default: 200. */
    readonly concurrent_calls?: number | undefined
    /** How long a call waits for a process, or for other calls of its function to end. Default: 10. */
    readonly queue_seconds?: number | undefined
    /** How long a function may take from its start until it serves. Default: 20. */
    readonly boot_seconds?: number | undefined
    /** How long a function may take until it begins to answer. Default: 150. */
    readonly head_seconds?: number | undefined
    /** How long a process of a function lives; calls go to a new one after half of it. Default: 400. */
    readonly wall_seconds?: number | undefined
    /** CPU time of a function’s process while calls are open, by call; 0 sets no limit. Default: 2000. */
    readonly cpu_ms?: number | undefined
    /** Memory of a function’s process. Default: 256. */
    readonly memory_mib?: number | undefined
    /** The largest answer of a function. Default: 268435456. */
    readonly response_bytes?: number | undefined
    /** How long a process without calls is kept. Default: 60. */
    readonly idle_seconds?: number | undefined
    /** The longest log line of a function; the rest of a longer one is left out. Default: 10000. */
    readonly log_line_chars?: number | undefined
    /** Log lines of a function’s process in ten seconds; further ones are counted, and left out. Default: 100. */
    readonly log_lines?: number | undefined
  }
  /** The section `[realtime]`. */
  readonly realtime?: {
    /** Whether /realtime/v1 is served. Default: true. */
    readonly enabled?: boolean | undefined
    /** Whether channels must be private, so that policies of realtime.messages decide on each. Default: false. */
    readonly private_only?: boolean | undefined
    /** Sockets at a time. Default: 10000. */
    readonly connections?: number | undefined
    /** Channels of one socket. Default: 100. */
    readonly channels_per_connection?: number | undefined
    /** The largest frame that joins a channel: its topic, its token, and what row changes it asks for. Default: 65536. */
    readonly join_bytes?: number | undefined
    /** Row changes that one channel may ask for: tables, events and filters. Default: 100. */
    readonly changes_per_channel?: number | undefined
    /** Channels that sockets may join in a second, all together. Default: 500. */
    readonly joins_per_second?: number | undefined
    /** Messages that one socket may send in a second, on average over ten of them. Default: 500. */
    readonly messages_per_second?: number | undefined
    /** The largest payload of a broadcast, or of what is tracked. Default: 3000500. */
    readonly payload_bytes?: number | undefined
    /** The largest frame; a larger one closes its socket. Default: 5000000. */
    readonly frame_bytes?: number | undefined
    /** What may wait for a socket whose client reads slowly; with more it is closed. Default: 8388608. */
    readonly buffered_bytes?: number | undefined
    /** What all buffers of the process may take: with more, the sockets whose clients read most slowly are closed. Default: 1073741824. */
    readonly buffers_bytes?: number | undefined
    /** How often a channel of a socket may track or untrack in thirty seconds. Default: 5. */
    readonly presence_calls?: number | undefined
    /** How often clients may track in a second, all together. Default: 1000. */
    readonly presence_per_second?: number | undefined
    /** What may be tracked in one channel at a time, by all its members. Default: 1000. */
    readonly presence_keys?: number | undefined
    /** The size of what the members of one channel may track on one process, all together. Default: 8388608. */
    readonly presence_bytes?: number | undefined
    /** How long a socket may be silent; clients send a heartbeat every 25 seconds. Default: 60. */
    readonly idle_seconds?: number | undefined
    /** How long a socket may stay without a channel. Default: 600. */
    readonly without_channel_seconds?: number | undefined
    /** How often the token of a channel is verified again; when it expires at the latest. Default: 300. */
    readonly token_check_seconds?: number | undefined
    /** How long patterns of filters (like, match) may take for the rows of a moment; a longer one ends its subscription. Default: 250. */
    readonly filter_pattern_ms?: number | undefined
    /** For how many days messages that SQL sends are kept. Default: 3. */
    readonly message_days?: number | undefined
    /** Messages of one socket of a recorded session that its timeline keeps in a second, on average over ten of them: name, size and cause, not the payload; 0 keeps none. Default: 10. */
    readonly recorded_messages_per_second?: number | undefined
    /** Messages of one call of the broadcast API. Default: 1000. */
    readonly batch_messages?: number | undefined
    /** Channels that the console lists at a time, and members of one that it shows; a search finds others. Default: 1000. */
    readonly console_entries?: number | undefined
  }
  /** The section `[live]`. */
  readonly live?: {
    /** Tabs of the console that are connected at a time; further ones ask again and again instead. Default: 500. */
    readonly connections?: number | undefined
    /** What one tab of the console may watch at a time. Default: 50. */
    readonly topics_per_connection?: number | undefined
    /** The largest message of a tab; a larger one closes its connection. Default: 16384. */
    readonly frame_bytes?: number | undefined
    /** Messages that a tab may send in a second, on average over ten of them. Default: 5. */
    readonly frames_per_second?: number | undefined
    /** What may wait for a tab that does not read; with more its connection is closed. Default: 65536. */
    readonly buffered_bytes?: number | undefined
    /** How often in a second tabs are told that there is something new of one and the same thing. Default: 4. */
    readonly notices_per_second?: number | undefined
    /** How often it is looked up whether the operators of the connected tabs are still signed in and have their roles. A sign-out is noticed at once. Default: 10. */
    readonly check_seconds?: number | undefined
    /** Seconds after which a connection that does not answer is closed. Default: 60. */
    readonly idle_seconds?: number | undefined
    /** Time between the beginnings of two batches of events and requests, in milliseconds, while a session is watched; spool.batch_ms, where that is shorter. Default: 150. */
    readonly store_ms?: number | undefined
  }
  /** The section `[backup]`. */
  readonly backup?: {
    /** The folder that backups are written to, on another disk than the data directory; none by default. */
    readonly folder?: string | undefined
    /** A bucket that backups are written to, in place of a folder; nothing else of this instance is in it. */
    readonly s3_bucket?: string | undefined
    /** What the names of all objects in the bucket begin with; one of its own for each instance. Default: "". */
    readonly s3_prefix?: string | undefined
    /** The S3 server of the bucket; Amazon’s by default. */
    readonly s3_endpoint?: string | undefined
    /** The region of the bucket. Default: "us-east-1". */
    readonly s3_region?: string | undefined
    /** The access key of the bucket; what the machine has (environment, role) where there is none. */
    readonly s3_access_key_id?: string | undefined
    /** The secret of the access key of the bucket. */
    readonly s3_secret_access_key?: string | undefined
    /** Whether the bucket is named in the path rather than in the host name; Amazon wants the latter. Default: true. */
    readonly s3_force_path_style?: boolean | undefined
    /** Seals the keys and the settings in each backup; without one they are left out. */
    readonly passphrase?: string | undefined
    /** Hours from one backup to the next, which the instance makes where there is a folder. Default: 24. */
    readonly every_hours?: number | undefined
    /** Whether each backup of the schedule is opened and read as soon as it is made. Default: true. */
    readonly verify?: boolean | undefined
    /** Whether PostgreSQL’s write-ahead log is kept beside the backups as it is written, so that any moment between them can be restored. Default: true. */
    readonly wal?: boolean | undefined
    /** Seconds after which what was committed is kept. Default: 10. */
    readonly wal_seconds?: number | undefined
    /** Days, counted back from now, of which every moment can be restored, as far as a backup of before is kept. Default: 7. */
    readonly wal_days?: number | undefined
    /** MiB that a backup reads in a second at most, and the log writes; as many as the disks give by default. */
    readonly mib_per_second?: number | '' | undefined
    /** Days, counted back from the newest backup, of each of which the last backup is kept. Default: 7. */
    readonly keep_daily?: number | undefined
    /** Weeks, counted the same way, of each of which the last backup is kept. Default: 4. */
    readonly keep_weekly?: number | undefined
    /** Months, counted the same way, of each of which the last backup is kept. Default: 12. */
    readonly keep_monthly?: number | undefined
    /** MiB of a table up to which its rows are digested before and after a backup, so that a check can compare them. Default: 64. */
    readonly compare_mib?: number | undefined
  }
  /** The section `[upgrade]`. */
  readonly upgrade?: {
    /** Whether the data are kept as a restore point before an upgrade, from which `clew upgrade rollback` goes back. Default: true. */
    readonly keep?: boolean | undefined
    /** Days after which restore points are removed. Default: 14. */
    readonly keep_days?: number | undefined
    /** MiB of a table up to which its rows are counted before and after an upgrade. Default: 256. */
    readonly compare_mib?: number | undefined
    /** The folder with `bin/postgres` of the PostgreSQL that the data are of, where a version brings another major one; the folder that the version before ran it from, where nothing is said. */
    readonly postgres_binaries?: string | undefined
    /** Seconds within which row changes that are not stored yet are, before PostgreSQL gets another major version. Default: 1800. */
    readonly changes_seconds?: number | undefined
  }
  /** The section `[disk]`. */
  readonly disk?: {
    /** MiB that recordings may take: once a day the oldest are deleted until they do; as many as there are by default. */
    readonly recordings_mib?: number | '' | undefined
    /** MiB that events may take: once a day the oldest are deleted until they do; as many as there are by default. */
    readonly events_mib?: number | '' | undefined
    /** MiB that requests with their statements, lines of functions and messages of sockets may take: once a day the oldest are deleted until they do; as many as there are by default. */
    readonly requests_mib?: number | '' | undefined
    /** MiB that row changes may take: once a day the oldest are deleted until they do; as many as there are by default. */
    readonly history_mib?: number | '' | undefined
    /** MiB that exceptions may take: once a day the oldest are deleted until they do; as many as there are by default. */
    readonly errors_mib?: number | '' | undefined
    /** MiB of PostgreSQL, its log included, from which on an alert warns; nothing of it is deleted. None by default. */
    readonly database_mib?: number | '' | undefined
    /** MiB of the files of storage from which on an alert warns; nothing of it is deleted. None by default. */
    readonly files_mib?: number | '' | undefined
    /** MiB that backups and their log may take: after each backup the oldest are removed until they do, but never the newest nor the last that is known to be good; as many as [backup] keeps by default. */
    readonly backups_mib?: number | '' | undefined
    /** MiB of files from which on storage takes no more, looked at once a minute: uploads are answered as on a full disk. As many as there are by default. */
    readonly files_limit_mib?: number | '' | undefined
    /** Days for which events are kept, by the time they happened; for good by default. */
    readonly event_days?: number | '' | undefined
  }
  /** The section `[retention]`. */
  readonly retention?: {
    /** Days after an error for which all that is kept of its session stays: recording, events, requests, row changes and exceptions. By default a session with errors is kept as any other. */
    readonly sessions_with_errors_days?: number | '' | undefined
    /** Legal holds that are open at a time. Default: 200. */
    readonly max_holds?: number | undefined
  }
  /** The section `[alerts]`. */
  readonly alerts?: {
    /** Addresses that are mailed when an alert begins, lasts or ends. Default: []. */
    readonly mails?: readonly string[] | undefined
    /** An address that is sent a JSON body then, with a `text` as chat services take it. Private hosts need an entry in allowed_hosts of [net]. */
    readonly webhook_url?: string | undefined
    /** Seconds from one look at everything to the next. Default: 30. */
    readonly every_seconds?: number | undefined
    /** Seconds that a look waits for what an alert is about; what takes longer changes nothing of it. Default: 10. */
    readonly read_seconds?: number | undefined
    /** Hours after which an alert that lasts is told once more. Default: 24. */
    readonly repeat_hours?: number | undefined
    /** Minutes over which requests and runs of jobs are counted. Default: 5. */
    readonly window_minutes?: number | undefined
    /** Requests within that time below which their errors and durations say nothing. Default: 20. */
    readonly min_requests?: number | undefined
    /** Share of requests answered with 5xx at which an alert begins; none where nothing is given. Default: 5. */
    readonly error_percentage?: number | '' | undefined
    /** 95th percentile of the durations of requests at which an alert begins; none where nothing is given. */
    readonly p95_ms?: number | '' | undefined
    /** Log of PostgreSQL whose row changes are not stored yet at which an alert begins; none where nothing is given. Default: 256. */
    readonly changes_behind_mib?: number | '' | undefined
    /** Seconds for which an engine is down, or nothing is stored, until an alert begins; none where nothing is given. Default: 60. */
    readonly down_seconds?: number | '' | undefined
    /** Days until the disk is full at which an alert begins; none where nothing is given. Default: 7. */
    readonly disk_days?: number | '' | undefined
    /** Share of a budget of [disk] that PostgreSQL, files or backups take at which an alert begins; none where nothing is given. Default: 100. */
    readonly budget_percentage?: number | '' | undefined
    /** Age of the last verified backup at which an alert begins, where backups are made; none where nothing is given. Default: 50. */
    readonly backup_hours?: number | '' | undefined
    /** Days until the certificate ends at which an alert begins, where the process has one; none where nothing is given. Default: 14. */
    readonly certificate_days?: number | '' | undefined
    /** Runs of scheduled jobs that failed at which an alert begins; none where nothing is given. Default: 1. */
    readonly failed_runs?: number | '' | undefined
  }
  /** The section `[log]`. */
  readonly log?: {
    /** Whether each request is a line of the log, whatever the level: method, path, status, time, address. Default: false. */
    readonly access?: boolean | undefined
    /** Where the log is written where log_file names no file. Default: "stderr". */
    readonly output?: 'stderr' | 'stdout' | undefined
    /** MiB at which log_file is renamed (`.1`, then `.2`) and a new one begun. Default: 100. */
    readonly rotate_mib?: number | undefined
    /** Renamed files that are kept. Default: 5. */
    readonly rotated_files?: number | undefined
    /** Days after its last line for which a renamed file is kept, looked at once an hour; no limit by default. */
    readonly rotated_days?: number | '' | undefined
    /** An address that lines are posted to, as JSON Lines, some at a time. */
    readonly http_url?: string | undefined
    /** Headers of these posts, such as `Authorization`. */
    readonly http_headers?: Readonly<Record<string, string>> | undefined
    /** A syslog server (RFC 5424) that lines are sent to: udp://…:514, tcp://…:514 or tls://…:6514. */
    readonly syslog?: string | undefined
    /** What the process is called in syslog (APP-NAME). Default: "clew". */
    readonly syslog_name?: string | undefined
    /** Lines of one post, or of one write to syslog. Default: 500. */
    readonly batch_lines?: number | undefined
    /** MiB of lines that wait for an address that takes none; further ones are dropped and counted. Default: 16. */
    readonly queue_mib?: number | undefined
    /** Seconds that a post, or a connection to syslog, may take. Default: 10. */
    readonly timeout_seconds?: number | undefined
  }
  /** The section `[telemetry]`. */
  readonly telemetry?: {
    /** A collector of OpenTelemetry, without `/v1/traces`: each request and its statements are posted there as spans (OTLP, JSON). */
    readonly endpoint?: string | undefined
    /** Headers of these posts, such as `Authorization`. */
    readonly headers?: Readonly<Record<string, string>> | undefined
    /** What the instance is called there (`service.name`). Default: "clew". */
    readonly service_name?: string | undefined
    /** Share of traces that leave; of a request with a `traceparent` of its caller, its flag decides. Default: 100. */
    readonly sample_percentage?: number | undefined
    /** Requests of one post. Default: 200. */
    readonly batch_requests?: number | undefined
    /** MiB of spans that wait for a collector that takes none; further ones are dropped and counted. Default: 16. */
    readonly queue_mib?: number | undefined
    /** Seconds that a post may take. Default: 10. */
    readonly timeout_seconds?: number | undefined
  }
  /** The section `[otlp]`. */
  readonly otlp?: {
    /** Whether spans and logs of your own servers are taken (OTLP over HTTP). Default: true. */
    readonly enabled?: boolean | undefined
    /** Whether they are taken at `/v1/traces` and `/v1/logs`, besides `/otlp/v1/…`; false where the application has these paths. Default: true. */
    readonly root_paths?: boolean | undefined
    /** Whether the publishable key may send them, as from browsers; anybody can then write spans and logs that look like those of your servers. Default: false. */
    readonly publishable_key?: boolean | undefined
    /** Days for which spans and logs are kept; what is older when it arrives is rejected. Default: 7. */
    readonly retention_days?: number | undefined
    /** Largest body of spans or logs, after decompression, in bytes. Default: 16777216. */
    readonly max_body_bytes?: number | undefined
    /** Most spans, or log records, of one request. Default: 20000. */
    readonly max_batch_records?: number | undefined
    /** Attributes of a span, an event of a span, a log record or a resource; further ones are left out and counted. Default: 128. */
    readonly max_attributes?: number | undefined
    /** Bytes of an attribute’s value; a longer text is cut, any other value left out and counted. Default: 4096. */
    readonly max_attribute_bytes?: number | undefined
    /** Events of a span, such as exceptions; further ones are left out and counted. Default: 32. */
    readonly max_events?: number | undefined
    /** Bytes of a log record’s text, of a span’s name and of what its status says; a longer one is cut. Default: 16384. */
    readonly max_text_bytes?: number | undefined
    /** Attributes whose values are never kept: names, * for any letters. Default: ["*authorization*","*cookie*","*password*","*passwd*","*passphrase*","*secret*","*api_key*","*api-key*","*apikey*","*access_token*","*refresh_token*","*id_token*","*auth_token*","*.token","token","*credential*","*private_key*"]. */
    readonly secret_attributes?: readonly string[] | undefined
    /** Most spans, and as many log records, that are shown of a request or a session. Default: 1000. */
    readonly shown_records?: number | undefined
    /** What `Retry-After` says when there is no room, in seconds. Default: 5. */
    readonly retry_after_seconds?: number | undefined
  }
  /** The section `[sqlEditor]`. */
  readonly sqlEditor?: {
    /** How long a statement of the SQL editor may run. Default: 60. */
    readonly statement_seconds?: number | undefined
    /** Rows of a result that the SQL editor shows; the rest is left in the database, and the result says so. Default: 1000. */
    readonly max_rows?: number | undefined
    /** Size of a result that the SQL editor shows. Default: 8. */
    readonly max_result_mib?: number | undefined
    /** How long a change of the SQL editor waits to be committed; then it is rolled back. Default: 120. */
    readonly hold_seconds?: number | undefined
    /** Runs of the SQL editor at a time, those that wait to be committed among them, each on a connection of its own. Default: 4. */
    readonly max_runs?: number | undefined
    /** Memory that a statement of the SQL editor may take in ClickHouse. Default: 256. */
    readonly clickhouse_memory_mib?: number | undefined
    /** Runs of each operator that the SQL editor remembers. Default: 200. */
    readonly history_runs?: number | undefined
    /** Saved queries of a project. Default: 500. */
    readonly max_queries?: number | undefined
  }
  /** The section `[schema]`. */
  readonly schema?: {
    /** How long a change of the schema in the console waits for a table that is in use; requests on that table wait behind it. Default: 5. */
    readonly lock_seconds?: number | undefined
    /** How long a statement of a change of the schema in the console may run. Default: 120. */
    readonly statement_seconds?: number | undefined
  }
  /** The section `[mcp]`. */
  readonly mcp?: {
    /** Whether agents reach the tools of the Model Context Protocol, with an access token that is for agents. Default: true. */
    readonly enabled?: boolean | undefined
    /** Whether SQL of agents may change data, where their operator may. Otherwise it only reads. Default: false. */
    readonly sql_writes?: boolean | undefined
    /** Rows of a result of SQL that an agent is given; sql_editor.max_rows, where that is less. Default: 200. */
    readonly max_rows?: number | undefined
    /** Size of a tool’s answer; a longer one is cut, and says so. Default: 96. */
    readonly max_answer_kib?: number | undefined
    /** How long a call of a tool may take; its statements are cancelled then. Default: 30. */
    readonly call_seconds?: number | undefined
    /** Calls of tools that each process works on at a time; as many wait. Default: 8. */
    readonly max_calls?: number | undefined
  }
  /** The section `[acme]`. */
  readonly acme?: {
    /** Whether the certificate for the names of public_url and console_url is obtained and renewed by ACME; both ports speak HTTPS then. Behind a proxy that does so, this stays off. Default: false. */
    readonly enabled?: boolean | undefined
    /** Whether you agree to the terms of service of the authority; without it none gives a certificate. Default: false. */
    readonly accept_terms?: boolean | undefined
    /** Where the authority writes about problems with the certificate. */
    readonly email?: string | undefined
    /** The directory of the authority; that of Let’s Encrypt by default. Default: "https://acme-v02.api.letsencrypt.org/directory". */
    readonly directory_url?: string | undefined
    /** The port on which the authority’s challenges (HTTP-01) are answered, and everything else is led to HTTPS. The authority asks port 80. Default: 80. */
    readonly http_port?: number | undefined
    /** Days before its end from which a certificate is renewed; a third of its life, where that is less. Default: 30. */
    readonly renew_days?: number | undefined
  }
}
