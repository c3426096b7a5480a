import { planServer } from '../engines/mail/index.ts'
import { hasTarget } from '../services/backups/index.ts'
import { isLoopback, type Settings } from '../settings/index.ts'

/** What production still lacks, as its settings say, a sentence each; nothing in local mode. */
export function missingInProduction({ instance, mail, auth, backup, acme }: Settings): readonly string[] {
  if (!instance.production) return []
  return [
    ...(instance.publicUrl === null
      ? ['Still missing for production: --public-url, the address browsers use, for links in mails and tokens.']
      : []),
    ...(instance.consoleUrl === null
      ? ['The console listens on a loopback address only: give --console-url, its own address behind a proxy with TLS.']
      : []),
    // A proxy that is named is there.
    ...(isLoopback(instance.host) && !acme.enabled && instance.trustedProxies.length === 0
      ? [
          'Listening on a loopback address: put a proxy with TLS in front, or give --host.',
          'Name that proxy in trusted_proxies: until then its users share one address, and its limits.',
        ]
      : []),
    ...missingForSignIn(mail, auth),
    ...missingForBackups(instance, backup),
  ]
}

/** An external PostgreSQL is backed up by its own tools. */
function missingForBackups({ databaseUrl }: Settings['instance'], backup: Settings['backup']): readonly string[] {
  if (databaseUrl !== null) return []
  if (!hasTarget(backup)) return ['Still missing for production: a place for backups, folder or s3_bucket of [backup].']
  return backup.passphrase === null
    ? [
        'Backups leave the keys out, as there is no passphrase: give CLEW_BACKUP_PASSPHRASE, or keep keys.json yourself.',
      ]
    : []
}

/** What users of the application cannot do, or can do that they should not, as things are set. */
function missingForSignIn(mail: Settings['mail'], auth: Settings['auth']): readonly string[] {
  const mustConfirm = auth.emailEnableConfirmations !== false
  const sendsMails = planServer(mail) !== null || auth.hookSendEmailUri !== null
  return [
    ...(sendsMails || !auth.emailEnableSignup
      ? []
      : [
          'Still missing for production: a mail server. Mails wait in the console’s inbox: ' +
            (mustConfirm
              ? 'users who sign up by e-mail cannot sign in, nor recover a password, until an operator passes the mail on.'
              : 'users cannot recover a password until an operator passes the mail on.'),
        ]),
    ...(mustConfirm
      ? []
      : ['Addresses are not confirmed (email_enable_confirmations = false): anybody may sign up as any address.']),
    ...(auth.smsEnableSignup && auth.smsProvider === '' && auth.hookSendSmsUri === null
      ? ['Still missing for production: who delivers text messages; sign-ups by phone are refused.']
      : []),
  ]
}
