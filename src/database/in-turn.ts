export type Turns = Map<string, Promise<unknown>>

/** Runs work with the same name sequentially, also after a failure. */
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
