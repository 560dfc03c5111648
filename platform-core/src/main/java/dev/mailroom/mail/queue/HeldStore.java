package dev.mailroom.mail.queue;

import java.util.List;
import java.util.UUID;

import dev.mailroom.AcrossAccounts;
import reactor.core.publisher.Mono;

import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;

/** SQL of deliveries that wait for their campaign or for their destination. */
@Repository
@AcrossAccounts("the queue serves every account; its callers take the role that sees them all")
class HeldStore {

	private final DatabaseClient database;

	HeldStore(DatabaseClient database) {
		this.database = database;
	}

	/**
	 * Locks the campaigns of deliveries against being resumed, and then their
	 * destinations against being released, before the deliveries are held.
	 */
	Mono<Void> lock(List<Lease> leases) {
		UUID[] ids = leases.stream().map(Lease::delivery).toArray(UUID[]::new);
		Mono<Void> destinations = Mono.defer(() -> this.database
			.sql("""
					select destination from destination_hold
					 where destination in (select destination from queue where id = any(:ids)) order by destination for share
					""")
			.bind("ids", ids)
			.then());
		return this.database.sql("""
				select id from campaign
				 where id in (select campaign_id from queue where id = any(:ids)) order by id for share
				""").bind("ids", ids).then().then(destinations);
	}

	/**
	 * Holds leased rows until their campaign runs again or their destination is released;
	 * of the two, the fence finds the one that is left after the other. Rows to which
	 * neither applies any more only return to the queue.
	 */
	Mono<Void> hold(List<Lease> leases) {
		return this.database
			.sql("""
					with locked as (
					    select queue.id, lease.epoch,
					           case when campaign.status <> 'running' then 'campaign'
					                when exists (select from destination_hold
					                              where destination_hold.destination = queue.destination
					                                and released_at is null) then 'destination' end as held
					      from unnest(:ids::uuid[], :epochs::int[]) as input(id, epoch) join lease using (id, epoch)
					      join queue using (id) left join campaign on campaign.id = queue.campaign_id
					     where queue.data_until is null and queue.epoch <> lease.epoch order by queue.id for update of queue),
					returned as (
					    delete from lease using locked where lease.id = locked.id)
					update queue set epoch = locked.epoch, held = locked.held, ready = ready and locked.held is null
					  from locked where queue.id = locked.id
					""")
			.bind("ids", leases.stream().map(Lease::delivery).toArray(UUID[]::new))
			.bind("epochs", leases.stream().map(Lease::epoch).toArray(Integer[]::new))
			.then();
	}

	/**
	 * Ends the hold of deliveries of a destination. The time for which they were held
	 * does not count as lateness.
	 * @return number of deliveries, at most the limit; 0 if none is held
	 */
	Mono<Long> release(String destination, int limit) {
		return this.database.sql("""
				update queue set held = null, ready = due_at <= now(), due_at = greatest(due_at, now())
				 where held = 'destination' and id = any(array(
				     select id from queue where id = any(array(
				         select id from queue where held = 'destination' and destination = :destination limit :limit))
				      order by id for update))
				""").bind("destination", destination).bind("limit", limit).fetch().rowsUpdated();
	}

}
