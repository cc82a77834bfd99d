import type { SourceAnswer } from '../../../api/endpoints/endpoint-answer.ts';
import { counted } from '../../../core/text/words.ts';
import { loadEndpoints, session, tell } from '../../model/page.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';

interface RemoveSourceProps {
  endpointId: string;
  source: SourceAnswer;
  onClose(): void;
}

export function RemoveSource({ endpointId, source, onClose }: RemoveSourceProps) {
  const { secrets, enforce } = source;
  const remove = async () => {
    await session.call('PATCH /api/endpoints/{id}', {
      params: { id: endpointId },
      body: { source: null },
    });
    await loadEndpoints();
    tell('The source is removed');
  };
  return (
    <FormDialog
      title="Remove the source"
      action="Remove"
      danger
      onSubmit={remove}
      onClose={onClose}
    >
      <p>
        New requests are captured without a check{enforce && ', forged ones too'}, and{' '}
        {counted(secrets.length, 'secret')} {secrets.length === 1 ? 'is' : 'are'} deleted. Verdicts
        on earlier events stay.
      </p>
    </FormDialog>
  );
}
