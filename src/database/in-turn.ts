/** What is under way, by the name of what it is about. */
export type Turns = Map<string, Promise<unknown>>

/** Does work on the same thing one after the other, also when the work before it failed. */
export async function inTurn<T>(turns: Turns, name: string, work: () => Promise<T>): Promise<T> {
  const before = turns.get(name)
  const turn = before ? before.then(work, work) : work()
  turns.set(name, turn)
  try {
    return await turn
  } finally {
    if (turns.get(name) === turn) turns.delete(name)
  }
}
