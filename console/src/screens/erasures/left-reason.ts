/** Why a table still names a person after their erasure, and what an owner does about it. The first that fits. */
const reasons: readonly (readonly [table: RegExp, reason: string])[] = [
  [
    /^clew_operators\.(operators|invitations)$/,
    'The person is an operator, or invited as one: remove the account under Team.',
  ],
  [/^clew_operators\.actions$/, 'The person was an operator: the audit log keeps who did what.'],
  [/^(clew_net\.deliveries|net\.http_request_queue)$/, 'Waits to be sent: once it was, it can be erased.'],
  [/^cron\.job$/, 'The SQL of a job names the person: change it under Jobs.'],
  [/^vault\./, 'The name or description of a secret: change it under Vault.'],
  [/^clew_flags\.(flags|cohorts)$/, 'A condition names the person, or they changed it as an operator.'],
  [/^clew_functions\.files$/, 'The source of a function names the person: deploy it without.'],
  [/^clew_/, 'The address of an operator who made or changed it, or a text that an operator wrote.'],
  [/^clickhouse\./, 'Parts that cannot be written anew: they go when their time is over.'],
  [/^auth\./, 'Another account names the person, or one of the same address: open it under Users.'],
]

/** Why a table still names a person, in a sentence. @param table as the search names it: `public.profiles` */
export const leftReason = (table: string): string =>
  reasons.find(([pattern]) => pattern.test(table))?.[1] ??
  'Rows of your application that no foreign key ties to the person: change them.'
