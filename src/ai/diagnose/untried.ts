import { formatDuration } from '../../core/text/duration.ts';
import { formatTime } from '../../core/text/time.ts';
import { counted, listed } from '../../core/text/words.ts';
import { type Case, type CaseDelivery, type Diagnosis, destinationOf, numbered } from './case.ts';
import { destinationStep } from './steps.ts';
import { untriedFindings } from './untried-findings.ts';
import { HELD } from './waiting.ts';

/** How long after its due time a delivery counts as stuck, ms. Usually it starts within moments. */
const OVERDUE_MS = 60_000;
const MAX_NAMED = 5;

/** Explains why an event has no attempt, and what to do. */
export function diagnoseUntried(subject: Case): Diagnosis {
  const { deliveries, destinations, event, endpoint } = subject;
  const paused = endpoint.isActive
    ? []
    : ['The endpoint is paused, too: it answers requests with 404 and stores nothing.'];
  const resume = endpoint.isActive ? [] : [`hookrelay endpoints resume ${endpoint.id}`];
  const diagnosis = (texts: string[], steps: string[]): Diagnosis => ({
    diagnosis: [...texts, ...paused].join(' '),
    suggestion: numbered([...steps, ...resume]),
  });
  const replay = `Deliver this event to it: hookrelay replay ${event.id}`;

  const isDone = deliveries.every(({ state }) => state === 'cancelled' || state === 'filtered');
  const isHeld = deliveries.some(({ state, waitsFor, destinationId }) => {
    const ramp = destinationOf(subject, destinationId)?.condition?.flow.ramp;
    return (
      state === 'dead' ||
      (state === 'pending' &&
        (HELD.has(waitsFor) || waitsFor === 'order' || waitsFor === 'unjudged' || ramp))
    );
  });
  if (!isDone && isHeld) {
    const findings = untriedFindings(subject);
    return diagnosis(
      [findings.map(({ text }) => text).join('\n\n')],
      [...new Set(findings.flatMap(({ steps }) => steps))],
    );
  }
  const open = deliveries.filter(({ state }) => state === 'pending');
  if (open.length > 0) {
    const due = Math.min(...open.map(({ nextAttemptAt }) => nextAttemptAt ?? subject.now));
    const late = subject.now - due;
    const urls = listed(open.slice(0, MAX_NAMED).map(({ destinationUrl }) => destinationUrl));
    const waiting = `No attempt has been made yet: ${counted(open.length, 'delivery')} (${urls}) ${open.length === 1 ? 'waits' : 'wait'} for the first one.`;
    return late > OVERDUE_MS
      ? diagnosis(
          [
            waiting,
            `It has been due for ${formatDuration(late)}, which is not normal: the server has too many deliveries (most likely to slow destinations), was down, or is shutting down.`,
          ],
          [
            'Look at hookrelay_deliveries_due and the attempts under way: curl -s http://127.0.0.1:8484/metrics | grep hookrelay',
            "Look at the server's log, and at what it needs: hookrelay doctor",
          ],
        )
      : diagnosis(
          [waiting, `It is due ${formatTime(due)}; attempts begin within moments of that.`],
          [`Look again in a few seconds: hookrelay events attempts ${event.id}`],
        );
  }
  const filtered = deliveries.filter(({ state }) => state === 'filtered');
  if (filtered.length > 0 && filtered.length === deliveries.length) {
    const [{ destinationId }] = filtered as [CaseDelivery];
    const urls = listed(filtered.slice(0, MAX_NAMED).map(({ destinationUrl }) => destinationUrl));
    return diagnosis(
      [
        `No delivery was made of this event: ${counted(filtered.length, 'destination')} (${urls}) ${filtered.length === 1 ? 'has a filter that' : 'have filters that'} dropped it at capture.`,
        'Nothing failed, and the event is stored.',
      ],
      [
        `Try the present filter on it: hookrelay rules try ${endpoint.id} --destination ${destinationId} --event ${event.id}`,
        `See when the filter changed: hookrelay rules versions ${endpoint.id} ${destinationId}`,
      ],
    );
  }
  if (deliveries.length > 0) {
    const cancelled = deliveries.length - filtered.length;
    const supersededBy = deliveries.some(({ trigger }) => trigger === 'replay');
    return diagnosis(
      [
        `No attempt was made: ${cancelled === 1 ? 'its delivery was' : `its ${cancelled} deliveries were`} cancelled before the first one, by a person, by a ${supersededBy ? 'later ' : ''}replay, or with the removal of the destination.`,
      ],
      destinations.length > 0
        ? [`Deliver it again, to the present destinations: hookrelay replay ${event.id}`]
        : [addStep(endpoint.id), replay],
    );
  }
  if (destinations.length === 0) {
    return diagnosis(
      [
        'No delivery was ever made of this event: its endpoint has no destination, so there is nowhere to send it.',
        'Nothing failed, and the event is stored.',
      ],
      [
        addStep(endpoint.id),
        replay,
        `Or forward to your own machine: hookrelay listen 3000 --endpoint ${endpoint.id}`,
      ],
    );
  }
  const isLater = destinations.every(({ createdAt }) => createdAt >= event.receivedAt);
  const disabled = destinations.filter(({ settings }) => settings.state === 'disabled');
  if (!isLater && disabled.length > 0) {
    const urls = listed(disabled.slice(0, MAX_NAMED).map(({ url }) => url));
    return diagnosis(
      [
        `No delivery was made of this event: ${counted(disabled.length, 'destination')} (${urls}) ${disabled.length === 1 ? 'is' : 'are'} disabled, and a disabled destination gets no new events.`,
        'Nothing failed, and the event is stored.',
      ],
      [
        ...disabled
          .slice(0, MAX_NAMED)
          .map(({ id }) =>
            destinationStep({ endpoint, destinationId: id }, 'Make it active', 'resume'),
          ),
        replay,
      ],
    );
  }
  return diagnosis(
    [
      `No delivery was made of this event: it came at ${formatTime(event.receivedAt)}, when ${isLater ? `the endpoint had none of its ${counted(destinations.length, 'destination')} yet` : 'none of its destinations took new events'}.`,
      'A destination gets only events that come after it was added.',
    ],
    [`Deliver it to the present destinations: hookrelay replay ${event.id}`],
  );
}

function addStep(endpointId: string): string {
  return `Add one: hookrelay destinations add ${endpointId} https://example.com/hooks --generate-secret`;
}
