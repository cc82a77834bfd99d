-- Issues count failed verifications by two cursors. What happened before is no news.
INSERT INTO cursors (name, position)
  SELECT 'failures', coalesce(max(seq), 0) FROM event_contents
  UNION ALL SELECT 'rejections', coalesce(max(seq), 0) FROM rejected_requests;
