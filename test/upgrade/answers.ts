/** The file of the answers that the configurations of a release get: of the others, what a plain one does not get. */
type Answers = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const PLAIN = 'minimal.ts'

/** @param text - what answers.mjs prints */
export function packAnswers(text: string): string {
  const answers = JSON.parse(text) as Answers
  const isPlain = (request: string, answer: unknown) =>
    JSON.stringify(answer) === JSON.stringify(answers[PLAIN]?.[request])
  const files = Object.entries(answers).map(([file, own]) => {
    const lines = Object.entries(own)
      .filter(([request, answer]) => file === PLAIN || !isPlain(request, answer))
      .map(([request, answer]) => `${JSON.stringify(request)}: ${JSON.stringify(answer)}`)
    return `${JSON.stringify(file)}: {\n${lines.join(',\n')}\n}`
  })
  return `{\n${files.join(',\n')}\n}\n`
}

export function unpackAnswers(text: string): Answers {
  const answers = JSON.parse(text) as Answers
  return Object.fromEntries(
    Object.entries(answers).map(([file, own]) => [file, { ...answers[PLAIN], ...own }]),
  )
}
