// Checks the responses of several contenders, and then measures them in turn.

/** Runs of a contender in one turn. */
const BATCH = 100
/** Turns of each contender. */
const ROUNDS = 40
/** Turns of each contender before the measurement: V8 has compiled the code, and not optimized all of it. */
const WARM_UP = 3

export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** In microseconds since an arbitrary time. Processor time does not depend on other programs. */
const clocks = {
  elapsed: () => performance.now() * 1000,
  processor() {
    const { user, system } = process.cpuUsage()
    return user + system
  },
}

/** Returns microseconds for one run, without `prepare`. */
async function measureTurn({ prepare, run }, batch, now) {
  const inputs = []
  for (let index = 0; index < batch; index++) inputs.push(await prepare?.())
  const begin = now()
  for (const input of inputs) await run(input)
  return (now() - begin) / batch
}

/** Returns microseconds for one run that measures itself. */
async function readTurn({ timed }, batch) {
  let total = 0
  for (let index = 0; index < batch; index++) total += await timed()
  return (total * 1000) / batch
}

/**
 * @param contenders by name; each has `check`, which throws for a wrong response, and `run` (with
 * `prepare`, which is not timed) or `timed` (which returns milliseconds)
 * @param options `warmUp`: turns of each contender before the measurement. The few microseconds between contenders that
 * do almost the same are those of the compiler until V8 has optimized both, which takes some 40,000 runs
 * @returns medians in microseconds, and ratios to the first contender, by name
 */
export async function compare(
  contenders,
  { rounds = ROUNDS, batch = BATCH, clock = 'elapsed', warmUp = WARM_UP } = {},
) {
  const names = Object.keys(contenders)
  for (const name of names) await contenders[name].check()
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -warmUp; round < rounds; round++) {
    // Each round begins with another contender, so that no contender always runs on a warm cache.
    for (let offset = 0; offset < names.length; offset++) {
      const name = names[(Math.abs(round) + offset) % names.length]
      const contender = contenders[name]
      const time = await (contender.timed ? readTurn : measureTurn)(contender, batch, clocks[clock])
      if (round >= 0) times[name].push(time)
    }
  }
  const [ours] = names
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        microseconds: median(times[name]),
        // The ratio of each turn to ours in the same round, so that a slow moment of the machine cancels out.
        ratio: median(times[name].map((time, round) => time / times[ours][round])),
      },
    ]),
  )
}
