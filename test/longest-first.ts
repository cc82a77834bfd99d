import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * A sequencer that starts these files first. Without a cache of earlier runs Vitest starts
 * large files first, and a run ends with a short file of slow tests, alone.
 *
 * @param names paths below test/, the longest first, without their last extension
 */
export function longestFirst(names: readonly string[]): TestSequencerConstructor {
  const place = ({ moduleId }: TestSpecification) =>
    names.findIndex((name) => moduleId.endsWith(`/test/${name}.ts`)) >>> 0;
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => place(a) - place(b));
    }
  };
}
