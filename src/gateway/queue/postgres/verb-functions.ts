/**
 * A step of the schema: what a claim and a submit read and write, in functions, so that each is one statement. They hold
 * no rule; a write that finds no row to change fails, and with it the COMMIT that was sent behind it.
 *
 * A volatile function's statement sees what was committed before that statement began. So lock, clock and look-ups are
 * one call, and clock and look-ups still of a moment after the lock was granted. And each of its statements is small: one
 * of many parts took so much memory that the server gave it back to the system and fetched it anew at every call.
 */
export const VERB_FUNCTIONS = `
-- Both slots of the task's job, where it has one: both decide who may claim. Always in the same order.
CREATE FUNCTION lock_task(wanted TEXT) RETURNS JSON VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  job TEXT;
  task tasks;
BEGIN
  SELECT job_id INTO job FROM tasks WHERE task_id = wanted;
  IF job IS NOT NULL THEN
    PERFORM 1 FROM tasks WHERE job_id = job ORDER BY seq FOR UPDATE;
  END IF;
  SELECT * INTO task FROM tasks WHERE task_id = wanted FOR UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  -- can be large, and is kept for the record only
  task.result := NULL;
  RETURN ROW_TO_JSON(task);
END $$;
CREATE FUNCTION look_for_claim(wanted TEXT, claimant TEXT, key TEXT) RETURNS JSON VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  task JSON := lock_task(wanted);
  worker JSON;
BEGIN
  SELECT ROW_TO_JSON(workers) INTO worker FROM workers WHERE worker_uuid = claimant FOR SHARE;
  RETURN (SELECT JSON_BUILD_OBJECT('task', task, 'worker', worker, 'floor', seconds,
    'seconds', FLOOR(EXTRACT(EPOCH FROM clock_timestamp())), 'claim_fence', (SELECT fence FROM claims
      WHERE task_id = wanted AND worker_id = claimant AND idempotency_key = key)) FROM clock);
END $$;
CREATE FUNCTION look_for_submit(wanted TEXT, key TEXT) RETURNS JSON VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  task JSON := lock_task(wanted);
BEGIN
  RETURN (SELECT JSON_BUILD_OBJECT('task', task, 'floor', seconds,
    'seconds', FLOOR(EXTRACT(EPOCH FROM clock_timestamp())),
    'known', EXISTS (SELECT 1 FROM receipts WHERE task_id = wanted AND idempotency_key = key)) FROM clock);
END $$;
CREATE FUNCTION take_task(wanted TEXT, claimant TEXT, next_fence BIGINT, moment BIGINT, until BIGINT, key TEXT)
RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  place BIGINT;
BEGIN
  UPDATE tasks SET state = 'leased', worker_id = claimant, fence = fence + 1, claims = claims + 1,
    claimed_at = moment, expires_at = until, progress = NULL
    WHERE task_id = wanted AND fence = next_fence - 1
      AND (state = 'ready' OR (state = 'leased' AND expires_at <= moment)) RETURNING seq INTO place;
  IF NOT FOUND THEN RAISE EXCEPTION 'task % cannot be taken', wanted USING ERRCODE = 'RH001'; END IF;
  INSERT INTO leased(seq) VALUES (place) ON CONFLICT DO NOTHING;
  IF key IS NOT NULL THEN
    INSERT INTO claims(task_id, worker_id, idempotency_key, fence) VALUES (wanted, claimant, key, next_fence);
  END IF;
END $$;
CREATE FUNCTION finish_task(wanted TEXT, holder TEXT, held_fence BIGINT, moment BIGINT, outcome TEXT)
RETURNS VOID VOLATILE LANGUAGE plpgsql AS $$
DECLARE
  place BIGINT;
BEGIN
  UPDATE tasks SET state = 'done', result = outcome WHERE task_id = wanted AND state = 'leased'
    AND worker_id = holder AND fence = held_fence AND expires_at > moment RETURNING seq INTO place;
  IF NOT FOUND THEN RAISE EXCEPTION 'task % is not held so', wanted USING ERRCODE = 'RH001'; END IF;
  DELETE FROM leased WHERE seq = place;
END $$;
`;
