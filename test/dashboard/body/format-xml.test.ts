import { describe, expect, test } from 'vitest';
import { formatXml, LONGEST_XML, lineText } from '../../../src/dashboard/parts/body/format-xml.ts';

const lines = (text: string) => formatXml(text)?.map(lineText);

describe('XML', () => {
  test('has one tag a line, with its own characters', () => {
    const text =
      '\n<?xml version="1.0"?>\n<!DOCTYPE a [<!ENTITY b "c>">]><a x:y=\'1\'  z = "&lt;"><!-- n --><b>t &amp; </b><c/><d>' +
      'mixed <i>in</i> text</d><e> </e><f><![CDATA[<x>]]></f></a>\n';
    expect(lines(text)).toEqual([
      '<?xml version="1.0"?>',
      '<!DOCTYPE a [<!ENTITY b "c>">]>',
      '<a x:y=\'1\' z="&lt;">',
      '  <!-- n -->',
      '  <b>t &amp; </b>',
      '  <c/>',
      '  <d>',
      '    mixed',
      '    <i>in</i>',
      '    text',
      '  </d>',
      '  <e> </e>',
      '  <f><![CDATA[<x>]]></f>',
      '</a>',
    ]);
  });

  test.each([
    'text',
    '',
    '<a>',
    '<a></b>',
    '<a/><b/>',
    '<a>text</a> more',
    '<a b></a>',
    '<a b=c/>',
    '<a b="<"/>',
    '<!-- open',
    '<![CDATA[',
    '<a',
    '</a>',
    '< a/>',
    '<p>one<br>two</p>',
    `${'<a>'.repeat(100_000)}`,
    `<a>${'x'.repeat(LONGEST_XML)}</a>`,
  ])('that is malformed, deep or long stays as it is: %.40s', (text) => {
    expect(formatXml(text)).toBeNull();
  });

  test('takes time in proportion to its length', () => {
    for (const part of ['<a ', '<a b="1" ', '<!DOCTYPE [', '<a>\n', '  <a/>', '&', '<!--', '<?']) {
      const begun = process.cpuUsage();
      formatXml(`<r>${part.repeat(100_000)}`);
      expect(process.cpuUsage(begun).user / 1000).toBeLessThan(5000);
    }
  });
});
