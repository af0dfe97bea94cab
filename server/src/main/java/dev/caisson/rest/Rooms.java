package dev.caisson.rest;

import dev.caisson.broker.Broker;
import dev.caisson.call.KeyedDigest;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.identity.Keys;
import dev.caisson.ledger.Ledger;
import dev.caisson.share.Part;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.tools.FileDesk;
import dev.caisson.tools.LiveRuns;
import dev.caisson.tools.RunOutput;
import dev.caisson.webhooks.Webhooks;
import java.time.Clock;

/// What REST stands on.
public record Rooms(
        Broker broker,
        Store store,
        KeptAnswers answers,
        ExecutionRecords records,
        Ledger ledger,
        Keys keys,
        Webhooks webhooks,
        LiveRuns runs,
        RunOutput output,
        Faults faults,
        Clock clock,
        FileDesk desk,
        KeyedDigest digest,
        Part part,
        Workers workers,
        ArchiveLimits archives) {}
