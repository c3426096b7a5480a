import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of alerts. */
export const alertsError = catalogue({
  CLEW_ALERTS_NO_RECEIVER: {
    status: 400,
    message: 'There is no one to tell.',
    hint: 'Name mails or webhook_url of [alerts] in clew.toml.',
  },
  CLEW_ALERTS_NOT_SENT: {
    status: 502,
    message: 'The test could not be sent.',
    hint: 'Correct the address, or the mail server, that is named in clew.toml.',
  },
})
