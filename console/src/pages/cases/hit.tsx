// A hit: the screened name beside the list entry that it resembles, and how the score was computed.
import { Box, Group, Stack, Table, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ScreeningHit } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Block } from '../../ui/page.tsx'
import { Raw } from '../../ui/readable.tsx'
import { Status } from '../../ui/status.tsx'
import { words } from '../../ui/words.ts'
import { correctionWords, type Explanation, isExplanation, percent, sidesOf, wayWords } from './hit.words.ts'

export type Thresholds = { screen_threshold: number; block_threshold: number }

export function Hit({ hit, thresholds }: { hit: ScreeningHit; thresholds: Thresholds | undefined }) {
  const { party, reason, score, explanation, state } = hit
  return (
    <Block title={`Hit: ${words(party).toLowerCase()}`} note={<Status value={state} />}>
      <Stack gap="md">
        {reason !== 'entry' && (
          <Text size="sm">
            {reason === 'country'
              ? 'The bank does not serve this country.'
              : 'Only part of the name could be compared, so it needs a manual review.'}
          </Text>
        )}
        {score !== null && <Score score={score} thresholds={thresholds} />}
        {isExplanation(explanation) && <Sides explanation={explanation} hit={hit} />}
        {explanation !== null && <Raw value={explanation} label="Inputs of the score" />}
      </Stack>
    </Block>
  )
}

/** The score on a scale, with the thresholds for review and freeze. */
function Score({ score, thresholds }: { score: number; thresholds: Thresholds | undefined }) {
  const { screen_threshold = 1, block_threshold = 1 } = thresholds ?? {}
  const verdict =
    thresholds === undefined ? '' : score >= block_threshold ? 'Freeze proposed.' : score >= screen_threshold ? 'Needs a review.' : ''
  return (
    <div>
      <Group gap="sm" align="baseline">
        <Text size="xl" fw={700}>
          {percent(score)}
        </Text>
        <Text size="sm">similar. {verdict}</Text>
      </Group>
      <svg className="score-line" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`Score ${percent(score)}`}>
        <rect className="score-all" x="0" y="1" width="100" height="4" rx="1" />
        <rect className={score >= block_threshold ? 'score-block' : 'score-look'} x="0" y="1" width={score * 100} height="4" rx="1" />
        {thresholds &&
          [screen_threshold, block_threshold].map((at) => (
            <rect key={at} className="score-mark" x={at * 100 - 0.15} y="0" width="0.3" height="6" />
          ))}
      </svg>
      {thresholds && (
        <Text size="xs" c="dimmed">
          Review from {percent(screen_threshold)}, freeze from {percent(block_threshold)}.
        </Text>
      )}
    </div>
  )
}

function Sides({ explanation, hit }: { explanation: Explanation; hit: ScreeningHit }) {
  const { inputs, pairs, corrections } = explanation
  const list = useQuery({
    queryKey: ['bank', 'watchlist', hit.watchlist_id],
    enabled: hit.watchlist_id !== null,
    staleTime: 300_000,
    queryFn: () => api.operator.watchlists.get(hit.watchlist_id ?? ''),
  })
  return (
    <>
      <Box className="table-frame" tabIndex={0} role="region" aria-label="Comparison">
        <Table aria-label="Comparison" className="sides" verticalSpacing="xs">
          <Table.Thead>
            <Table.Tr>
              <Table.Td />
              <Table.Th>Screened: {words(hit.party).toLowerCase()}</Table.Th>
              <Table.Th>
                Listed{list.data && `: ${list.data.name}`}
                {hit.entry_id !== null && <span className="mono entry-id"> {hit.entry_id}</span>}
              </Table.Th>
              <Table.Th>Compared</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Th scope="row">Name</Table.Th>
              <Table.Td>
                <Marked name={inputs.query.name} found={pairs.map(({ query }) => query)} />
              </Table.Td>
              <Table.Td>
                <Marked name={inputs.listed.name} found={pairs.map(({ listed }) => listed)} />
                {inputs.listed.weak && ' (weak alias)'}
              </Table.Td>
              <Table.Td>
                {pairs.map(({ query, listed, similarity }) => (
                  <div key={`${query} ${listed}`}>
                    {query} ↔ {listed}: {percent(similarity)}
                  </div>
                ))}
              </Table.Td>
            </Table.Tr>
            {sidesOf(explanation).map(({ label, query, listed, verdict, tone }) => (
              <Table.Tr key={label}>
                <Table.Th scope="row">{label}</Table.Th>
                <Table.Td>
                  {query.length === 0 && '–'}
                  {query.map(({ text, source }) => (
                    <div key={`${text} ${source}`}>
                      {text}
                      {source !== '' && <span className="source"> {source}</span>}
                    </div>
                  ))}
                </Table.Td>
                <Table.Td>{listed || '–'}</Table.Td>
                <Table.Td>
                  <span className={`status ${tone}`}>{verdict}</span>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      <Text size="sm">
        {wayWords(explanation)} {corrections.map((correction) => `${correctionWords(correction)}.`).join(' ')}
      </Text>
    </>
  )
}

/** A name, with the words highlighted that the other side has too. */
function Marked({ name, found }: { name: string; found: readonly string[] }) {
  const isFound = (word: string) => found.includes(word.toLowerCase())
  return name.split(/(\s+)/).map((word, at) => {
    const key = `${at} ${word}`
    return isFound(word) ? <mark key={key}>{word}</mark> : <span key={key}>{word}</span>
  })
}
