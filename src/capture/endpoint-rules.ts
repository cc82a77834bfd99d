import { JudgingRules } from '../core/judging/judging-rules.ts';
import type { RuledRequest } from '../core/rules/request-parts.ts';
import type { DestinationFilter, JudgingSettings, Verdict } from '../core/rules/verdict.ts';
import { bodyType } from '../providers/body-type.ts';

/** An endpoint's filters and orders of one version, ready to judge requests. */
export class EndpointRules {
  readonly #version: number;
  readonly #rules: JudgingRules;

  /** @param onUnreadable a newer program wrote the filter or the order, which counts for nothing */
  constructor(
    { version, filters }: JudgingSettings,
    onUnreadable?: (filter: DestinationFilter, error: unknown) => void,
  ) {
    this.#version = version;
    this.#rules = new JudgingRules(filters, bodyType, onUnreadable);
  }

  /** Steps of all regular expressions. */
  get regexSteps(): number {
    return this.#rules.regexSteps;
  }

  /** Throws `RuleTooCostly` past `steps`. */
  judge(request: RuledRequest, steps?: number): Verdict {
    return { version: this.#version, ...this.#rules.judge(request, steps) };
  }

  /** The verdict on a request that can't be judged: every destination gets it. */
  everywhere(): Verdict {
    return { version: this.#version, ...this.#rules.everywhere() };
  }
}
