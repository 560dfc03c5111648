/*
 * The protocol that hands over the mail of one recipient, from its acceptance to the settlement: leases with epochs,
 * records of the topic, the fence, SMTP and settlements. Statements handle each row by itself, so that one row stands
 * for all. README.md maps the steps to classes and lists the properties.
 *
 * There is no clock. A lease expires at any time once nothing can use it any more; that it expires under a worker
 * which still uses it is one of FAULTS events, as are crashes, lost and repeated records, and a lost lock. All else
 * happens in any order. Safety therefore depends on no duration.
 *
 * Mutants, each of which violates a property:
 *   NO_FENCE     a worker hands over what it receives
 *   NO_EPOCH     fence and settlement do not compare epochs
 *   NO_RECOVERY  expired leases are not taken back
 */

#ifndef FAULTS
#define FAULTS 2
#endif
#ifndef ATTEMPTS
#define ATTEMPTS 2	/* RetrySchedule: attempts before a mail expires */
#endif

#define NONE 0		/* no epoch; the first is 1 */

mtype:status = { pending, settled };
mtype:result = { final, deferred, unopened, unanswered };

/* Row of delivery. */
mtype:status status = pending;

/* Row of queue: inserted by the accepting transaction, deleted when the delivery is finished. */
bool queued = true;
bool ready = true;		/* due */
bool in_data = false;		/* data_until is not null: behind the fence */
bool data_valid = false;	/* data_until > now() */
byte queue_epoch = NONE;	/* epoch of the last lease that was fenced or taken back */
byte attempt = 0;
byte ambiguous = 0;		/* hand-overs that were taken back without a reply */

/* Row of lease, and its sequence. */
bool leased = false;
bool lease_valid = false;	/* until > now() */
byte lease_epoch = NONE;
byte sequence = NONE;

/* The topic: epochs of leases in the order of publication. */
chan topic = [2] of { byte };

/* State that processes hold in memory, lost when they crash. */
byte turn[2] = NONE;		/* lease that a dispatcher is about to publish */
byte work[2] = NONE;		/* lease that a worker is working on */

/* Advisory lock: number of the active dispatcher. */
#define UNLOCKED 2
byte lock = UNLOCKED;

byte faults = FAULTS;

/* Observations that the product does not make. */
byte copies = 0;		/* mails accepted by the recipient's server */
byte unrecorded = 0;		/* hand-overs whose reply was withheld, or lost with its worker or its lease */
byte fenced = NONE;		/* epoch of the hand-over that was begun last */

#define FINAL(r) (r == final)

/* No process and no record can act under the present lease, so that only its expiry remains. */
#define WORKED_ON(e) (work[0] == e || work[1] == e)
#define LEASE_ABANDONED (turn[0] != lease_epoch && turn[1] != lease_epoch && !WORKED_ON(lease_epoch) \
	&& !(topic??[eval(lease_epoch)]))

/* One of the events that the environment may cause at this point. */
#define FAULT(possible) d_step { (possible) && faults > 0 -> faults-- }

/* Whether the database has the hand-over of this epoch as going on. */
#define IN_PROGRESS(e) (in_data && queue_epoch == e && data_valid)

/* Deleted rows have no values, which keeps the number of states low. */
inline delete_lease() {
	leased = false;
	lease_valid = false;
	lease_epoch = NONE
}

/* Transitions.lease, which read the queue in an earlier snapshot: "on conflict do nothing". */
inline insert_lease(me) {
	d_step {
		if
		:: !leased ->
			sequence++;
			leased = true;
			lease_valid = true;
			lease_epoch = sequence;
			turn[me] = sequence
		:: else
		fi
	}
}

/* Transitions.returnToQueue: a lease that was not fenced returns to the queue. */
inline return_to_queue(e) {
	d_step {
		if
		:: leased && lease_epoch == e && queued && !in_data && queue_epoch != e ->
			delete_lease();
			queue_epoch = e
		:: else
		fi
	}
}

/* Transitions.recover. */
inline recover() {
	d_step {
		if
		:: leased && !lease_valid && !queued -> delete_lease()
		:: leased && !lease_valid && queued && (!in_data || !data_valid) ->
			ambiguous = ambiguous + in_data;
			in_data = false;
			queue_epoch = lease_epoch;
			delete_lease();
			/* The product does not count more hand-overs as ambiguous than there were. */
			assert(ambiguous <= unrecorded)
		:: else
		fi
	}
}

/*
 * Transitions.fence, behind the snapshot in which the statement read the row of lease. The row of queue is locked and
 * read again in its newest version. A mail without attempts left is barred and settled.
 */
inline fence(me, passed) {
	d_step {
		passed = false;
		if
		:: !queued || !ready || in_data -> skip
#ifndef NO_EPOCH
		:: queued && ready && !in_data && queue_epoch == work[me] -> skip
#endif
		:: else ->
			if
			:: ambiguous > 0 && attempt >= ATTEMPTS -> finish()
			:: else ->
				in_data = true;
				data_valid = true;
				queue_epoch = work[me];
				attempt++;
				passed = true
			fi
		fi
	}
}

inline finish() {
	assert(status == pending);
	status = settled;
	queued = false;
	in_data = false;
	data_valid = false;
	delete_lease()
}

inline defer(e, r) {
	if
	:: r == unopened && in_data -> attempt--
	:: else
	fi;
	in_data = false;
	data_valid = false;
	ready = false;
	queue_epoch = e;
	delete_lease()
}

/*
 * Transitions.settle. A row is found if it is in data under the epoch of the settlement, or leased under it and not
 * fenced; a final reply is also recorded if no other hand-over was begun.
 */
inline settle(e, r) {
	d_step {
		if
		:: r != unanswered && queued && (
#ifdef NO_EPOCH
				in_data || leased
#else
				(in_data && queue_epoch == e)
				|| (!in_data && queue_epoch != e && leased && lease_epoch == e)
#endif
				|| (!in_data && FINAL(r))) ->
			/* A settlement of an older epoch never ends the hand-over of another. */
			assert(!in_data || fenced == e);
			/* Nor does it change a mail that waits or is leased again, unless it brings the final reply. */
			assert(FINAL(r) || in_data || lease_epoch == e);
			if
			:: FINAL(r) || (r == deferred && attempt >= ATTEMPTS) -> finish()
			:: else -> defer(e, r)
			fi
		:: else
		fi
	}
}

/* Dispatcher, DispatcherLock, DeliveryTopic. */
proctype dispatcher(byte me) {
end:
	do
	:: lock == UNLOCKED -> lock = me
	/* The connection ends and another dispatcher gets the lock, while this one goes on with its turn. */
	:: FAULT(lock == me); lock = UNLOCKED
	/* Transitions.markDue */
	:: lock == me && queued && !ready -> ready = true
	/* A turn: the snapshot, the insertion of the lease, the record. */
	:: lock == me && queued && ready && !leased ->
		insert_lease(me);
		if
		:: turn[me] == NONE
		:: turn[me] != NONE ->
			if
			:: nfull(topic) -> atomic { topic!turn[me]; turn[me] = NONE }
			/* The broker refuses the record, and the lease is released. */
			:: FAULT(true); return_to_queue(turn[me]); turn[me] = NONE
			/* The same, but the broker has the record. */
			:: FAULT(nfull(topic)); topic!turn[me]; return_to_queue(turn[me]); turn[me] = NONE
			/* The dispatcher crashes with its turn. */
			:: FAULT(true); atomic { turn[me] = NONE; lock = (lock == me -> UNLOCKED : lock) }
			fi
		fi
	od
}

/*
 * Queue.recover, which runs in every worker whether its dispatcher is active or not; time, by which leases end: at
 * once if nothing can use them any more, otherwise as a fault; and the broker, which may lose its records.
 */
proctype environment() {
	byte record;
end:
	do
#ifndef NO_RECOVERY
	:: leased && !lease_valid && (!queued || !in_data || !data_valid) -> recover()
#endif
	:: atomic { leased && lease_valid && LEASE_ABANDONED -> lease_valid = false }
	:: atomic { FAULT(leased && lease_valid && !LEASE_ABANDONED); lease_valid = false }
	:: atomic { in_data && data_valid && !WORKED_ON(queue_epoch) -> data_valid = false }
	:: atomic { FAULT(in_data && data_valid && WORKED_ON(queue_epoch)); data_valid = false; unrecorded++ }
	:: atomic { FAULT(nempty(topic)); topic?record; record = NONE }
	od
}

/* DeliveryListener, SenderThreads, HandOvers, Settler. A crash forgets the work; the offset was committed on receipt. */
proctype worker(byte me) {
	bool passed;
	mtype:result reply;
idle:
	atomic {
		work[me] = NONE;
		passed = false;
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
	/* Rate limit, closed destination, or no session. */
	:: FAULT(true); return_to_queue(work[me]); goto idle
	:: FAULT(true); goto idle
	fi;

#ifdef NO_FENCE
	fenced = work[me];
#else
	/* The snapshot of the fence's statement. */
	if
#ifdef NO_EPOCH
	:: leased && lease_valid
#else
	:: leased && lease_valid && lease_epoch == work[me]
#endif
	:: else -> goto idle
	fi;
	atomic {
		fence(me, passed);
		if
		:: passed -> fenced = work[me]
		:: else -> goto idle
		fi
	}
#endif

	if
	/* The mail's turn does not come. */
	:: FAULT(true); reply = unopened
	/* A crash before the final dot. */
	:: atomic { FAULT(true); unrecorded = unrecorded + IN_PROGRESS(work[me]); goto idle }
	/* The server accepts the mail, and its reply arrives or not. */
	:: atomic {
		copies++;
		assert(copies <= 1 + ambiguous);
		assert(copies <= 1 + unrecorded);
		if
		:: reply = final
		:: unrecorded = unrecorded + IN_PROGRESS(work[me])
		fi }
	/* It refuses the mail for good, or for now. */
	:: reply = final
	:: reply = deferred
	/* The connection ends before the server has the mail. */
	:: unrecorded = unrecorded + IN_PROGRESS(work[me])
	fi;

	if
	:: true
	/* A crash between the reply and the settlement. */
	:: atomic { FAULT(true); unrecorded = unrecorded + (reply != unanswered && IN_PROGRESS(work[me])); goto idle }
	fi;

	settle(work[me], reply);
	if
	:: true
	/* The COMMIT was not confirmed, and the settler repeats it. */
	:: FAULT(true); settle(work[me], reply)
	fi;
	goto idle
}

init {
	/* The accepting transaction has committed; nothing before it was promised. */
	atomic {
		run dispatcher(0);
		run dispatcher(1);
		run environment();
		run worker(0);
		run worker(1)
	}
}

/* An accepted mail is finished at some time: handed over, or failed with its sender informed. */
ltl finished { <> (status == settled) }
