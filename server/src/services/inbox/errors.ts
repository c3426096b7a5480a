import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's inbox. */
export const inboxError = catalogue({
  CLEW_MAIL_NOT_FOUND: {
    status: 404,
    message: 'There is no such mail.',
    hint: 'The inbox keeps the newest inbox_keep of [mail]: reload the list.',
  },
})
