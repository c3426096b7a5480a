/** What the processes of one Clew tell each other about one thing: at most once, and not to the teller itself. */
export interface Topic<Message> {
  tell(message: Message): void
  /** @returns what ends the listening */
  hear(handle: (message: Message) => void): () => void
}

/** Opens a topic by its name: letters, digits, dots and dashes. */
export type OpenTopic = <Message>(name: string) => Topic<Message>

/** The topics of a process that has no others. */
export const noOthers: OpenTopic = () => ({ tell: () => undefined, hear: () => () => undefined })
