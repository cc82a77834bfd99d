import { useState } from 'preact/hooks';
import type { MadeTokenAnswer } from '../../../api/accounts/api-token-answer.ts';
import { session } from '../../model/page.ts';
import { FormDialog } from '../../parts/form/form-dialog.tsx';
import { SelectField, TextField } from '../../parts/form/text-field.tsx';
import { faultAt } from '../../text/field-faults.ts';
import { EndpointChoices } from './endpoint-choices.tsx';
import { LimitChoice } from './limit-choice.tsx';

const SCOPES = [
  ['write', 'read and write'],
  ['read', 'read only'],
] as const;

const EXPIRIES = [
  ['', 'never'],
  ['1d', 'in a day'],
  ['7d', 'in 7 days'],
  ['30d', 'in 30 days'],
  ['90d', 'in 90 days'],
  ['365d', 'in a year'],
] as const;

interface NewTokenProps {
  onMade(token: MadeTokenAnswer): void;
  onClose(): void;
}

export function NewToken({ onMade, onClose }: NewTokenProps) {
  const [isLimited, setLimited] = useState(false);
  const create = async (form: FormData) => {
    const made = await session.call('POST /api/tokens', {
      body: {
        name: String(form.get('name')),
        scopes: form.get('scopes') === 'read' ? ['read'] : ['read', 'write'],
        endpoint_ids: isLimited ? form.getAll('endpoint').map(String) : null,
        expires_in: String(form.get('expires_in')) || null,
      },
    });
    onMade(made);
  };
  return (
    <FormDialog
      title="New API token"
      action="Create"
      fields={['name', 'scopes', 'expires_in', 'endpoint_ids']}
      onSubmit={create}
      onClose={onClose}
    >
      {(error) => (
        <>
          <TextField label="Name" name="name" error={error} required placeholder="What it is for" />
          <SelectField label="Scope" name="scopes" error={error} of={SCOPES} initial="write" />
          <SelectField label="Expires" name="expires_in" error={error} of={EXPIRIES} initial="" />
          <LimitChoice
            text="Only some endpoints"
            isLimited={isLimited}
            fault={faultAt(error, 'endpoint_ids')}
            onChange={setLimited}
          >
            <EndpointChoices legend="Endpoints that it sees" />
          </LimitChoice>
        </>
      )}
    </FormDialog>
  );
}
