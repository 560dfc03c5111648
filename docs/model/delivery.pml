/*
 * The protocol that hands over the mail of one recipient, from its acceptance to the settlement: records of the topic
 * with epochs, the fence, SMTP and settlements, and the changes that senders and operators make meanwhile. Statements
 * handle each row by itself, so that one row stands for all. README.md maps the steps to classes and lists the
 * properties.
 *
 * There is no clock. A hand-over expires, and the dispatcher publishes a delivery again, at any time once nothing else
 * can happen to it; that it happens under a worker which still uses the claim or the lease is one of FAULTS events, as
 * are crashes, lost and repeated records, and a lost lock. All else happens in any order. Safety therefore depends on
 * no duration. Senders and operators make ACTIONS changes.
 *
 * Mutants, each of which violates a property:
 *   NO_FENCE          a worker hands over what it receives
 *   NO_EPOCH          fence and settlement do not compare epochs
 *   NO_READY          the fence does not check that the row is ready, and KEEP_EPOCH
 *   NO_BUMP           recover does not raise the epoch
 *   NO_FRESH_EPOCH    requeue begins with the first epoch again
 *   NO_RECOVERY       expired hand-overs are not taken back
 *   NO_WALK           a new dispatcher does not look for hand-overs of earlier ones
 *   KEEP_EPOCH        holding and rescheduling do not raise the epoch
 *   PART_HELD         a pause holds some of the ready rows, and this one may not be among them
 *   UNFENCE_UNLOCKED  unfence does not wait for the transaction of the fence
 */

#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef ACTIONS
#define ACTIONS 1
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2	/* RetrySchedule: attempts before a mail expires */
#endif

#ifdef NO_READY
#define KEEP_EPOCH
#endif

#define NONE 0		/* no epoch; the first is 1 */

mtype:status = { pending, settled };
mtype:result = { final, deferred, unopened, unanswered, no_session, barred };
mtype:campaign = { running, pausing, paused };
mtype:held = { no, by_campaign, by_destination };

/* Row of delivery. */
mtype:status status = pending;
bool failed = false;		/* settled as failed, so that it can be requeued */

/* Row of queue: inserted by the accepting transaction, deleted when the delivery is finished. */
bool queued = true;
bool ready = true;
mtype:held held = no;
bool later = false;		/* rescheduled, and the new time has not come */
bool claimed = false;		/* data_until is not null: being sent */
bool data_valid = false;	/* data_until > now() */
byte claimed_by = 0;		/* the value of data_until, by which unfence knows its claim */
byte epoch = 1;
byte attempt = 0;
byte ambiguous = 0;		/* hand-overs that were taken back without a reply */

/* The campaign, and the hold of the destination. Of a pause the first transaction has committed, or both. */
bool of_campaign = false;	/* senders reschedule and cancel other mail only */
mtype:campaign campaign = running;
bool destination_held = false;

/* The topic: epochs of leases in the order of publication. */
chan topic = [2] of { byte };

/* Advisory lock: number of the active dispatcher. */
#define UNLOCKED 2
byte lock = UNLOCKED;

/* State that processes hold in memory, lost when they crash. */
byte window = NONE;		/* Window of the active dispatcher: epoch of its entry */
byte turn[2] = NONE;		/* lease that a dispatcher is about to publish */
byte work[2] = NONE;		/* lease, then claim, that a worker is working on */

byte faults = FAULTS;
byte actions = ACTIONS;

/* Observations that the product does not make. */
byte copies = 0;		/* mails accepted by the recipient's server */
byte unrecorded = 0;		/* hand-overs whose reply was withheld, or lost with their worker or claim */
bool handing[2] = false;	/* a worker hands the mail over under a claim that has not expired */
bool cancelled = false;
bool requeued = false;

#define FINAL(r) (r == final)

/* Matches ready rows of which nobody has passed the fence under the lease. */
#ifdef NO_EPOCH
#define OF(e) true
#else
#define OF(e) (epoch == e)
#endif
#ifdef NO_READY
#define UNCLAIMED(e) (queued && !claimed && OF(e))
#else
#define UNCLAIMED(e) (queued && !claimed && ready && OF(e))
#endif

/* No process and no record can act under this lease or claim, so that only time remains. */
#define WORKED_ON(e) (work[0] == e || work[1] == e)
#define ABANDONED(e) (turn[0] != e && turn[1] != e && !WORKED_ON(e) && !(topic??[eval(e)]))

/* One of the events that the environment may cause at this point. */
#define FAULT(possible) d_step { (possible) && faults > 0 -> faults-- }
#define ACTION(possible) d_step { (possible) && actions > 0 -> actions-- }

/* Whether the database has the hand-over of this epoch as going on. */
#define IN_PROGRESS(me, e) (claimed && epoch == e && claimed_by == me && data_valid)

/* Transitions.fence, of a row that is not barred. */
inline claim(me) {
	claimed = true;
	data_valid = true;
	claimed_by = me + 1;
	epoch++;
	attempt++
}

inline unclaim() {
	claimed = false;
	data_valid = false;
	claimed_by = 0;
	epoch++
}

/* Deleted rows have no values, which keeps the number of states low. The epoch stays, as the source of a fresh one. */
inline finish(as_failed) {
	assert(status == pending);
	status = settled;
	failed = as_failed;
	queued = false;
	ready = false;
	held = no;
	later = false;
	claimed = false;
	data_valid = false;
	claimed_by = 0
}

/* Transitions.recover. */
inline recover() {
	ambiguous++;
	unclaim();
#ifdef NO_BUMP
	epoch--;
#endif
	/* A later hand-over without a reply is repeated after a delay. */
	ready = (ambiguous == 1);
	/* The product does not count more hand-overs as ambiguous than there were. */
	assert(ambiguous <= unrecorded)
}

/* A ready row that is held or rescheduled voids its leases. */
inline not_ready() {
#ifndef KEEP_EPOCH
	if
	:: ready -> epoch++
	:: else
	fi;
#endif
	ready = false
}

/* Transitions.hold, which locks campaign and hold first. */
inline hold(e) {
	d_step {
		if
		:: UNCLAIMED(e) && campaign != running -> held = by_campaign; not_ready()
		:: UNCLAIMED(e) && campaign == running && destination_held -> held = by_destination; not_ready()
		:: else
		fi
	}
}

/* Transitions.holdCampaigns. */
inline hold_campaign() {
	if
	:: queued && ready && !claimed -> held = by_campaign; not_ready()
#ifdef PART_HELD
	:: queued && ready && !claimed
#endif
	:: !(queued && ready && !claimed)
	fi
}

/* Transitions.unfence. Nothing if the fence was rolled back. */
inline unfence(me, e) {
	d_step {
		if
		:: queued && claimed && epoch == e && claimed_by == me + 1 ->
			attempt--;
			unclaim();
			ready = false
		:: else
		fi
	}
}

/*
 * Transitions.settle. A result has an effect if the row has its epoch; a final reply also if nobody has claimed the
 * mail since.
 */
inline settle(me, e, r) {
	d_step {
		if
		:: r != unanswered && queued && (
				(OF(e) && (claimed || ready))
				|| (!claimed && FINAL(r))) ->
			/* A settlement never ends the hand-over of another claim. */
			assert(!claimed || claimed_by == me + 1);
			/* Nor does it change a mail that waits again, unless it brings the final reply, or the lease is unused. */
			assert(claimed || FINAL(r) || r == no_session || r == barred);
			attempt = attempt + (r == no_session) - (r == unopened);
			if
			:: FINAL(r) -> finish(false)
			:: r == barred || ((r == deferred || r == no_session) && attempt >= ATTEMPTS) -> finish(true)
			:: else ->
				unclaim();
				ready = false
			fi
		:: else
		fi
	}
}

/* Dispatcher, DispatcherLock, Window, DeliveryTopic. */
proctype dispatcher(byte me) {
end:
	do
	/* A new dispatcher has an empty window. */
	:: atomic { lock == UNLOCKED -> lock = me; window = NONE }
	/* The connection ends and another dispatcher gets the lock, while this one goes on with its turn. */
	:: atomic { FAULT(lock == me); lock = UNLOCKED; window = NONE }
	/* Transitions.markDue */
	:: d_step { lock == me && queued && !ready && held == no && !later -> ready = true }
	/* A look at the rows of the window. */
	:: d_step { lock == me && window != NONE && !claimed && (!queued || !ready || epoch != window) -> window = NONE }
#ifndef NO_RECOVERY
	:: d_step { lock == me && window != NONE && claimed && !data_valid -> recover(); window = NONE }
#endif
	/* Nobody has claimed it in time: it is published again. */
	:: d_step { lock == me && window != NONE && !claimed && epoch == window && ABANDONED(window) -> window = NONE }
	:: atomic { FAULT(lock == me && window != NONE && !claimed && epoch == window && !ABANDONED(window)); window = NONE }
#ifndef NO_WALK
	/* The search for rows that were claimed under an earlier dispatcher. */
	:: d_step { lock == me && window == NONE && claimed -> window = epoch }
#endif
	/* A turn: the row is read and remembered, then its record is published. */
	:: atomic { lock == me && queued && ready && !claimed && window == NONE -> window = epoch; turn[me] = epoch };
		if
		/* A held destination. */
		:: atomic { destination_held -> hold(turn[me]); turn[me] = NONE; window = (lock == me -> NONE : window) }
		:: atomic { nfull(topic) -> topic!turn[me]; turn[me] = NONE }
		/* The broker refuses the record. */
		:: atomic { FAULT(true); turn[me] = NONE; window = (lock == me -> NONE : window) }
		/* The same, but the broker has the record. */
		:: atomic { FAULT(nfull(topic)); topic!turn[me]; turn[me] = NONE; window = (lock == me -> NONE : window) }
		/* The dispatcher crashes with its turn. */
		:: atomic {
			FAULT(true);
			turn[me] = NONE;
			if
			:: lock == me -> lock = UNLOCKED; window = NONE
			:: else
			fi }
		fi
	od
}

/*
 * Time, by which hand-overs end: at once if nothing can use them any more, otherwise as a fault; the broker, which may
 * lose its records; and the ends of stops.
 */
proctype environment() {
	byte record;
end:
	do
	:: d_step { later -> later = false }
	:: d_step { claimed && data_valid && !WORKED_ON(epoch) -> data_valid = false }
	:: atomic {
		FAULT(claimed && data_valid && WORKED_ON(epoch));
		data_valid = false;
		handing[claimed_by - 1] = false;
		unrecorded++ }
	:: atomic { FAULT(nempty(topic)); topic?record; record = NONE }
	/* The second transaction of a pause; the pause then returns. */
	:: atomic { campaign == pausing -> hold_campaign(); campaign = paused }
	/* The stops end, and Transitions.releaseCampaign and Transitions.release follow. */
	:: d_step { campaign == paused -> campaign = running }
	:: d_step { destination_held -> destination_held = false }
	:: d_step { campaign == running && held == by_campaign -> held = no; ready = !later }
	:: d_step { !destination_held && held == by_destination -> held = no; ready = !later }
	od
}

#define CHANGEABLE (queued && !claimed && attempt == 0 && !of_campaign && !requeued)

/* What senders and operators do. */
proctype users() {
end:
	do
	:: atomic { ACTION(of_campaign && campaign == running && queued); campaign = pausing; hold_campaign() }
	:: atomic { ACTION(!destination_held && queued); destination_held = true }
	/* Transitions.reschedule and Transitions.cancel, of a mail without attempts. */
	:: atomic { ACTION(CHANGEABLE); not_ready(); later = true }
	:: atomic { ACTION(CHANGEABLE); finish(false); cancelled = true }
	/* Outcomes.failSuspended, and the expiry by age. */
	:: atomic { ACTION(queued && !claimed); finish(true) }
	/* Transitions.requeue */
	:: atomic {
		ACTION(failed);
		failed = false;
		status = pending;
		queued = true;
		ready = true;
		requeued = true;
		of_campaign = false;
		campaign = running;
		attempt = 0;
		/* The seconds of the clock are higher than any epoch before. */
#ifdef NO_FRESH_EPOCH
		epoch = 1
#else
		epoch++
#endif
		}
	od
}

/*
 * DeliveryListener, LeaseQueue, SenderThreads, HandOvers, Settler. A crash forgets the work; the offset was
 * committed on receipt.
 */
proctype worker(byte me) {
	bool stopped;
	bool in_progress;
	mtype:result reply;
idle:
	atomic {
		work[me] = NONE;
		handing[me] = false;
		stopped = false;
		in_progress = false;
		reply = unanswered
	}
end:
	do
	:: atomic { topic?[_] -> topic?work[me]; break }
	/* The record is delivered again, to this or another worker. */
	:: atomic { FAULT(nempty(topic)); topic?<work[me]>; break }
	od;

	if
	:: true
	/* Queue.notTaken: the worker does not take the lease, and tells the dispatcher; the message may be lost. */
	:: atomic { FAULT(true); window = (window == work[me] && !claimed -> NONE : window); goto idle }
	:: atomic { FAULT(true); goto idle }
	/* A server was contacted, and no session was opened. */
	:: atomic { FAULT(true); reply = no_session; goto settlement }
	fi;

#ifdef NO_FENCE
	skip;
#else
	/* The snapshot of the fence's statement. Rows that do not match in it are not locked. */
	atomic {
		if
		:: UNCLAIMED(work[me]) -> stopped = (campaign != running || destination_held)
		:: else -> goto idle
		fi
	};
	/* The row is locked and read again in its newest version; campaigns and holds are not. */
	atomic {
		if
		:: !UNCLAIMED(work[me]) -> goto idle
		:: UNCLAIMED(work[me]) && stopped -> skip
		:: UNCLAIMED(work[me]) && !stopped && ambiguous > 0 && attempt >= ATTEMPTS ->
			reply = barred;
			goto settlement
		:: UNCLAIMED(work[me]) && !stopped && !(ambiguous > 0 && attempt >= ATTEMPTS) ->
			/* A rescheduled mail is not early, and a pause that has returned is exact. */
			assert(!later);
			assert(campaign != paused);
			claim(me);
			work[me] = epoch;
			goto passed
		/* The fence was rolled back, which its caller does not know. */
		:: FAULT(UNCLAIMED(work[me]) && !stopped); work[me]++; goto unconfirmed
#ifdef UNFENCE_UNLOCKED
		/* The fence commits behind the snapshot of unfence, which finds nothing. */
		:: FAULT(UNCLAIMED(work[me]) && !stopped); claim(me); goto idle
#endif
		fi
	};
	atomic { hold(work[me]); goto idle };

unconfirmed:
	atomic { unfence(me, work[me]); goto idle };

passed:
	if
	:: true
	/* The COMMIT was not confirmed, or the caller has given up. */
	:: FAULT(true); goto unconfirmed
	/* The mail's turn does not come. */
	:: atomic { FAULT(true); reply = unopened; goto settlement }
	/* A crash before the final dot. */
	:: atomic { FAULT(true); unrecorded = unrecorded + IN_PROGRESS(me + 1, work[me]); goto idle }
	fi;
#endif

	/* The hand-over begins. */
	atomic {
		assert(!cancelled && !later);
		if
		:: IN_PROGRESS(me + 1, work[me]) ->
			assert(!handing[1 - me]);
			handing[me] = true
		:: else
		fi
	};

	atomic {
		in_progress = IN_PROGRESS(me + 1, work[me]);
		handing[me] = false;
		if
		/* The server accepts the mail, and its reply arrives or not. */
		:: copies++;
			assert(copies <= 1 + ambiguous);
			assert(copies <= 1 + unrecorded);
			if
			:: reply = final
			:: unrecorded = unrecorded + in_progress
			fi
		/* It refuses the mail for good, or for now. */
		:: reply = final
		:: reply = deferred
		/* The connection ends before the server has the mail. */
		:: unrecorded = unrecorded + in_progress
		fi;
		in_progress = false
	};

settlement:
	if
	:: true
	/* A crash between the reply and the settlement. */
	:: atomic {
		FAULT(true);
		unrecorded = unrecorded + (reply != unanswered && IN_PROGRESS(me + 1, work[me]));
		goto idle }
	fi;

	settle(me, work[me], reply);
	if
	:: true
	/* The COMMIT was not confirmed, and the settler repeats it. */
	:: FAULT(true); settle(me, work[me], reply)
	fi;
	goto idle
}

init {
	/* The accepting transaction has committed; nothing before it was promised. */
	atomic {
		if
		:: of_campaign = true
		:: of_campaign = false
		fi;
		run dispatcher(0);
		run dispatcher(1);
		run environment();
		run users();
		run worker(0);
		run worker(1)
	}
}

/* An accepted or requeued mail is finished at some time: handed over, or failed with its sender informed. */
ltl finished { [] ((status == pending) -> <> (status == settled)) }
