import { catalogue } from '../ground/errors/catalogue.ts'

/** The errors that the gateway answers with, before or without a service. */
export const gatewayError = catalogue({
  CLEW_GATEWAY_NOT_FOUND: {
    status: 404,
    message: 'Nothing is served at this address.',
    hint: 'Check the path: /rest/v1, /auth/v1 and /ingest are served here, /console and /inbox on the console’s port.',
  },
  CLEW_GATEWAY_NOT_SERVED: {
    status: 501,
    message: 'This service is not served by this version of Clew.',
    hint: 'REST, auth and analytics are served; `clew status` names their addresses.',
  },
  CLEW_GATEWAY_NO_KEY: {
    status: 401,
    message: 'No API key found in request, or not one of this project’s.',
    hint: 'Send the publishable key in the `apikey` header; `clew keys` prints it.',
  },
  CLEW_GATEWAY_SECRET_IN_BROWSER: {
    status: 401,
    message: 'Forbidden use of secret API key in browser',
    hint: 'Use the publishable key in browsers, and take the secret one out of the page; make a new one if it was public.',
  },
  CLEW_GATEWAY_FOREIGN_HOST: {
    status: 421,
    message: 'This instance is not reached by that host name.',
    hint: 'Use localhost or the public URL; name further hosts, such as a container’s, in allowed_hosts.',
  },
  CLEW_GATEWAY_FOREIGN_PAGE: {
    status: 403,
    message: 'A page of another site may not call an instance in local mode, whose keys are public.',
    hint: 'Add the page’s address to site_url or additional_redirect_urls under [auth], or open it on localhost.',
  },
  CLEW_GATEWAY_METRICS_TOKEN: {
    status: 401,
    message: 'The metrics need their token.',
    hint: 'Set metrics_token and send it as a bearer token, or run `clew metrics` beside the instance.',
  },
  CLEW_GATEWAY_TOO_LARGE: {
    status: 413,
    message: 'The request’s body is larger than the limit.',
    hint: 'Send less in one request; body_limit_kib is the limit of the console and the inbox.',
  },
  CLEW_GATEWAY_TOO_DEEP: {
    status: 400,
    message: 'The body’s JSON is nested too deep.',
    hint: 'Send less nested JSON, or raise json_depth in the settings.',
  },
  CLEW_GATEWAY_HEAD_TOO_LARGE: {
    status: 431,
    message: 'The request’s address and headers together are larger than the limit.',
    hint: 'Shorten the address (call a function with a body instead of a long list) and the token, or raise head_limit_kib.',
  },
  CLEW_GATEWAY_TOO_SLOW: {
    status: 408,
    message: 'The request did not arrive in time.',
    hint: 'Send it again, or change request_timeout_seconds or request_bytes_per_second in the settings.',
  },
  CLEW_GATEWAY_BAD_REQUEST: {
    status: 400,
    message: 'The request could not be read.',
    hint: 'Check the body’s syntax and its Content-Type.',
  },
  CLEW_GATEWAY_BAD_ADDRESS: {
    status: 400,
    message: 'The address has a part of another form than it must have.',
    hint: 'Check the ids in its path, and its parameters.',
  },
  CLEW_GATEWAY_INTERNAL: {
    status: 500,
    message: 'An unexpected error; it has been logged.',
    hint: 'Look for the request id in the server’s log.',
  },
})
