/** Why something is only probable, or not believed at all; shown as it stands. */
export const why = {
  otherBrowser: 'The call carried the id of this session, but is of another browser: nothing of this session knows it.',
  otherPerson:
    'The call carried the id of this session, but its user was not in it: it was sent with the id of another session.',
  otherProgram: 'Only calls of another program, such as a server that renders pages, carried this person’s sign-in.',
  earlierSignIn: 'Nobody signed in during this session; this person had signed in at this browser before.',
  byBrowser: 'The call carried no sign-in; this is the person at its browser then.',
  inferred:
    'The call carried no session of its own; its sign-in was last seen in this one, but also elsewhere, or in another program.',
  noTab: 'The call named no tab; only this one was open then.',
  late: 'The call began more than two seconds after it and may have another cause.',
  clickSeemsLater: 'By the browser’s clock it came after the call, by more than the clock is known to be off.',
} as const
