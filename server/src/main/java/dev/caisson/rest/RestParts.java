package dev.caisson.rest;

import dev.caisson.actions.Actions;
import dev.caisson.broker.Broker;
import dev.caisson.call.KeyedDigest;
import dev.caisson.environments.Environments;
import dev.caisson.executions.Attempts;
import dev.caisson.executions.ExecutionRecords;
import dev.caisson.identity.KeyDirectory;
import dev.caisson.ledger.Ledger;
import dev.caisson.ledger.LedgerUsage;
import dev.caisson.ledger.UpstreamCalls;
import dev.caisson.profiles.Profiles;
import dev.caisson.runs.LiveRuns;
import dev.caisson.runs.RunOutput;
import dev.caisson.share.ShareLimit;
import dev.caisson.share.Workers;
import dev.caisson.storage.ArchiveLimits;
import dev.caisson.storage.FileService;
import dev.caisson.store.Store;
import dev.caisson.telemetry.Faults;
import dev.caisson.tools.ToolCatalogue;
import dev.caisson.webhooks.Webhooks;
import java.time.Clock;

/// Parts of the server that REST uses.
public record RestParts(
        Broker broker,
        Store store,
        IdempotencyRetention answers,
        ExecutionRecords records,
        Attempts attempts,
        Ledger ledger,
        UpstreamCalls upstreamCalls,
        LedgerUsage usage,
        ToolCatalogue catalogue,
        KeyDirectory keys,
        Profiles profiles,
        Actions actions,
        Webhooks webhooks,
        LiveRuns runs,
        RunOutput output,
        Faults faults,
        Clock clock,
        FileService desk,
        KeyedDigest digest,
        ShareLimit part,
        Workers workers,
        ArchiveLimits archives,
        Environments environments) {}
