import { catalogue } from '../../ground/errors/catalogue.ts'

/** The errors of the console's accounts and sessions. */
export const operatorsError = catalogue({
  CLEW_OPERATORS_SIGNED_OUT: {
    status: 401,
    message: 'No operator is signed in to the console in this browser.',
    hint: 'Sign in at /console.',
  },
  CLEW_OPERATORS_BAD_TOKEN: {
    status: 401,
    message: 'The access token is unknown, was revoked, or has expired.',
    hint: 'Make one under Access in the console, and run `clew login`.',
  },
  CLEW_OPERATORS_TOKEN_REFUSED: {
    status: 403,
    message: 'An access token does not open this.',
    hint: 'A token of the command line opens what `clew` does from another machine, one for agents the tools at /mcp.',
  },
  CLEW_OPERATORS_TOO_MANY_TOKENS: {
    status: 409,
    message: 'You have as many access tokens as access_tokens of [operators] allows.',
    hint: 'Revoke one that is not used any more.',
  },
  CLEW_OPERATORS_TOO_MANY_VIEWS: {
    status: 409,
    message: 'There are as many saved views as session_views of [operators] allows.',
    hint: 'Delete one that is not used any more.',
  },
  CLEW_OPERATORS_WRONG_CREDENTIALS: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    hint: 'Check both; the owner can make a new account for you.',
  },
  CLEW_OPERATORS_TOO_MANY_ATTEMPTS: {
    status: 429,
    message: 'Too many attempts to sign in.',
    hint: 'Wait as long as `Retry-After` says and try again.',
  },
  CLEW_OPERATORS_FOREIGN_ORIGIN: {
    status: 403,
    message: 'The call came from a page of another origin.',
    hint: 'Use the console at its own address.',
  },
  CLEW_OPERATORS_LINK_USED: {
    status: 410,
    message: 'This link has been used, or is too old.',
    hint: 'Run `clew owner-link` for a new one; when there is an owner already, sign in.',
  },
  CLEW_OPERATORS_INVITATION_OVER: {
    status: 410,
    message: 'This invitation has been used, was withdrawn, or is too old.',
    hint: 'Ask an owner of the console for a new one; when you have an account already, sign in.',
  },
  CLEW_OPERATORS_IS_MEMBER: {
    status: 409,
    message: 'An operator has this e-mail address already.',
    hint: 'Change their role instead.',
  },
  CLEW_OPERATORS_LAST_OWNER: {
    status: 409,
    message: 'The console would be without an owner.',
    hint: 'Make another operator an owner first.',
  },
  CLEW_OPERATORS_INVALID: {
    status: 400,
    message: 'A field is invalid.',
    hint: 'Give a name, an e-mail address, and a password of at least 10 characters.',
  },
  CLEW_OPERATORS_TICKET_OVER: {
    status: 401,
    message: 'The sign-in took too long, or was tried too often.',
    hint: 'Begin again with e-mail address and password.',
  },
  CLEW_OPERATORS_WRONG_PROOF: {
    status: 403,
    message: 'The code, passkey or password is wrong.',
    hint: 'Type the code that the app shows now, use your passkey, or one of the recovery codes; each is good once.',
  },
  CLEW_OPERATORS_PROOF_NEEDED: {
    status: 403,
    message: 'This needs a recent confirmation of your identity.',
    hint: 'Confirm with your second factor, or your password where there is none, and try again.',
  },
  CLEW_OPERATORS_FORBIDDEN: {
    status: 403,
    message: 'Your role in the team does not allow this.',
    hint: 'Owners and developers see the application’s data and change it, analysts see lists; only owners read secrets.',
  },
  CLEW_OPERATORS_HAS_APP: {
    status: 409,
    message: 'An authenticator app is set up already.',
    hint: 'Remove it to set up another one.',
  },
  CLEW_OPERATORS_NOT_FOUND: {
    status: 404,
    message: 'This does not exist any more.',
    hint: 'Reload the page.',
  },
})
