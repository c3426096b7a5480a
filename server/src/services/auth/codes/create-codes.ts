import type { Codes } from './codes.ts'
import type { CodesDeps } from './deps.ts'
import { applyEmail, prepareEmailChange } from './email-change.ts'
import { applyPhone } from './phone-change.ts'
import { checkNonce } from './reauthenticate.ts'
import { checkSending, pretendToSend, sendConfirmation } from './send-code.ts'
import { sendMessage } from './send-message.ts'
import { prepareMail } from './send-token.ts'

/** Binds the functions of codes to what they need. */
export const createCodes = (deps: CodesDeps): Codes => ({
  sendConfirmation: (sending, user, contact, call, ofSignUp) =>
    sendConfirmation(deps, sending, user, contact, call, ofSignUp),
  sendMessage: (sql, user, kind, to, ofSignUp) => sendMessage(deps, sql, user, kind, to, ofSignUp),
  prepareMail: (sql, user, kind, call, challenge, ofSignUp) =>
    prepareMail(deps, sql, user, kind, call, challenge, ofSignUp),
  checkSending: (kind, sentAt) => checkSending(deps, kind, sentAt),
  pretendToSend: (contact, purpose) => pretendToSend(deps, contact, purpose),
  prepareEmailChange: (sql, user, newEmail, call, challenge) =>
    prepareEmailChange(deps, sql, user, newEmail, call, challenge),
  applyEmail: (sql, user, email) => applyEmail(deps, sql, user, email),
  applyPhone: (sql, user, phone) => applyPhone(deps, sql, user, phone),
  checkNonce: (user, nonce, context) => checkNonce(deps, user, nonce, context),
})
