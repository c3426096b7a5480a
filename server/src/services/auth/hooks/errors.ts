import { catalogue } from '../../../ground/errors/catalogue.ts'

const checkHook = 'Look at what the hook answers, and at its own log.'

/** How a hook fails (auth §27). */
export const hookError = catalogue({
  hook_timeout: { status: 422, message: 'Failed to reach hook within maximum time', hint: checkHook },
  hook_timeout_after_retry: { status: 422, message: 'Failed to reach hook after maximum retries', hint: checkHook },
  hook_payload_over_size_limit: { status: 422, message: 'Payload size exceeded size limit', hint: checkHook },
  hook_payload_invalid_content_type: { status: 400, message: 'Invalid JSON response', hint: checkHook },
  /** A hook's own error: status and message are the hook's. */
  unknown: { status: 400, message: 'Refused by a hook', hint: checkHook },
})
