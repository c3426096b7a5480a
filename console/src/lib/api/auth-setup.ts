import { bodyOf, type Cancel, cancel, client } from './client.ts'
import type { MailKind } from './schemas.ts'

/** The requests of how sign-in is set up. */
export const authSetupApi = {
  authSetup: (options?: Cancel) => bodyOf(client.GET('/console/api/auth/setup', cancel(options))),
  tryRedirect: (url: string) => bodyOf(client.POST('/console/api/auth/setup/redirect', { body: { url } })),
  previewMail: (kind: MailKind, options?: Cancel) =>
    bodyOf(client.GET('/console/api/auth/setup/mails/{kind}', { params: { path: { kind } }, ...cancel(options) })),
  sendTestMail: (kind: MailKind) =>
    bodyOf(client.POST('/console/api/auth/setup/mails/{kind}/test', { params: { path: { kind } } })),
}
