import type { OpenTopic, Topic } from '../../ground/model/topic.ts'
import type { Bus } from './bus.ts'

/** Topics of a bus: each is a subject whose messages are JSON. */
export const topicsOf =
  (bus: Bus): OpenTopic =>
  <Message>(name: string): Topic<Message> => ({
    tell: (message) => bus.publish(name, () => Buffer.from(JSON.stringify(message))),
    // Our own nodes wrote it.
    hear: (handle) => bus.subscribe(name, ({ bytes }) => handle(JSON.parse(bytes.toString()) as Message)),
  })
