import type { OpenTopic, Topic } from '../../ground/model/topic.ts'
import type { Bus } from './bus.ts'

/** Topics of a bus: each is a subject whose messages are JSON. What is said in one turn of the event loop goes together. */
export const topicsOf =
  (bus: Bus): OpenTopic =>
  <Message>(name: string): Topic<Message> => {
    let waiting: Message[] = []
    const send = (): void => {
      const messages = waiting
      waiting = []
      bus.publish(name, () => Buffer.from(JSON.stringify(messages)))
    }
    return {
      tell(message) {
        if (waiting.push(message) === 1) setImmediate(send)
      },
      hear: (handle) =>
        bus.subscribe(name, ({ bytes }) => {
          // Our own nodes wrote it.
          for (const message of JSON.parse(bytes.toString()) as readonly Message[]) handle(message)
        }),
    }
  }
